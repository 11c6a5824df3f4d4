// What is wider than its place scrolls, and a keyboard must reach it to do so: formulae and code.
function reach() {
  document.querySelectorAll("mjx-container[display], div.highlight pre").forEach((box) => {
    if (box.matches("mjx-container") || box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
    }
  });
}

window.addEventListener("resize", () => {
  reach();
  window.setTimeout(reach, 600); // after the theme, which measures a while after a window's change
});
window.addEventListener("load", () => {
  const drawn = window.MathJax && MathJax.startup && MathJax.startup.promise;
  Promise.resolve(drawn).then(reach);
});

// A displayed formula that is wider than its place scrolls, and a keyboard must reach it to do so.
window.addEventListener("load", () => {
  const drawn = window.MathJax && MathJax.startup && MathJax.startup.promise;
  Promise.resolve(drawn).then(() => {
    document.querySelectorAll("mjx-container[display]").forEach((formula) => {
      formula.tabIndex = 0;
    });
  });
});

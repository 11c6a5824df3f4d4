// Vega measures the place of a chart when it draws and when the window changes. A style sheet that
// comes late or a sidebar that opens changes the place alone, so the window is said to have changed.
window.addEventListener("load", () => {
  const widths = new Map();
  const watch = new ResizeObserver((places) => {
    const changed = places.filter((place) => widths.get(place.target) !== place.contentRect.width);
    changed.forEach((place) => widths.set(place.target, place.contentRect.width));
    if (changed.length) {
      window.dispatchEvent(new Event("resize"));
    }
  });
  document.querySelectorAll("[id^=altair-viz]").forEach((chart) => {
    watch.observe(chart.parentElement);
  });
});

// Looks at a page again when something has changed on the desk. Without this script nothing is
// missing: a reload does the same. Whoever has begun to write is told, and not interrupted.
(() => {
  const page = document.querySelector("[data-live]");
  if (!page || !window.EventSource) return;
  let writing = false;
  document.addEventListener("input", () => {
    writing = true;
  });
  const source = new EventSource(page.dataset.live);
  source.addEventListener("changed", () => {
    if (writing) {
      document.getElementById("changed").hidden = false;
      return;
    }
    htmx.ajax("GET", location.pathname + location.search, {
      target: "#content",
      select: "#content",
      swap: "outerMorph",
    });
  });
  window.addEventListener("pagehide", () => source.close());
})();

// A slider instead of the list of turns: the board of each is shown while it moves, and the keys of
// the slider go on from there. Without this script the list and its button show the same.
(() => {
  const form = document.querySelector("form[data-turns]");
  if (!form) return;
  const slide = form.querySelector("input[type=range]");
  const turns = [...form.querySelector("select").options].reverse();
  const tell = () => {
    const chosen = turns[slide.valueAsNumber];
    chosen.selected = true;
    slide.setAttribute("aria-valuetext", chosen.text);
    form.querySelector("[data-chosen]").textContent = chosen.text;
  };
  const put = (part, found) => {
    const open = [...part.querySelectorAll("details")].map((one) => one.open);
    for (const [place, one] of found.querySelectorAll("details").entries()) {
      one.open = open[place] ?? one.open;
    }
    part.replaceWith(found);
  };
  let asked = 0;
  const show = async () => {
    const mine = ++asked;
    const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    const answer = await fetch(address).catch(() => null);
    const text = answer?.ok ? await answer.text() : "";
    if (mine !== asked) return;
    const page = new DOMParser().parseFromString(text, "text/html");
    const parts = [...document.querySelectorAll("[data-turn]")];
    const found = parts.map((part) => page.getElementById(part.id));
    // Not the board: whoever is not known any more comes to the page that says so.
    if (found.includes(null)) return form.submit();
    for (const [place, part] of parts.entries()) put(part, found[place]);
    history.replaceState(null, "", address);
  };
  let waiting;
  slide.addEventListener("input", () => {
    tell();
    clearTimeout(waiting);
    waiting = setTimeout(show, 120);
  });
  slide.max = turns.length - 1;
  slide.value = turns.findIndex((one) => one.selected);
  tell();
  form.querySelector("[data-list]").hidden = true;
  form.querySelector("[data-slide]").hidden = false;
})();

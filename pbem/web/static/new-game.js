// Says at each option what the chosen rules have, and proposes the zone of this device. Without this
// script a button shows the same, and the zone is written by hand.
(() => {
  const form = document.querySelector("form[data-options]");
  if (!form) return;
  const options = JSON.parse(form.dataset.options);
  const tell = (rules) => {
    for (const preset of form.querySelectorAll("[data-preset]")) {
      const name = preset.dataset.preset;
      const held = form.querySelector(`input[name="${name}"][value="${options[rules][name]}"]`);
      const words = held.parentElement.querySelector("[data-words]").textContent;
      preset.querySelector("[data-rules]").textContent = rules;
      preset.querySelector("[data-value]").textContent = words;
    }
  };
  form.addEventListener("change", (event) => {
    if (event.target.name === "ruleset") tell(event.target.value);
  });
  const zone = form.querySelector("[data-guess]");
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Only a place has a zone that people know; anything else may be a guess itself.
  if (zone && here?.includes("/") && !here.startsWith("Etc/")) zone.value = here;
})();

// What the theme makes in the browser: tables that scroll get the keyboard's focus, and buttons beside code are no places to go to.
new MutationObserver(() => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) table.tabIndex = 0;
  for (const buttons of document.querySelectorAll(".md-code__nav:not([role])")) buttons.setAttribute("role", "none");
}).observe(document.body, { childList: true, subtree: true });

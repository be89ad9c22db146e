// What the theme makes in the browser: tables that scroll get the keyboard's focus, and buttons beside code are no places to go to.
new MutationObserver(() => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) table.tabIndex = 0;
  for (const buttons of document.querySelectorAll(".md-code__nav:not([role])")) buttons.setAttribute("role", "none");
}).observe(document.body, { childList: true, subtree: true });
// An address of a name that has moved to a page of its theme leads there, by way of the module's first page, which links all its names.
{
  const anchor = decodeURIComponent(location.hash.slice(1));
  const target = document.getElementById(anchor);
  if (target?.matches("td > a[href]")) location.replace(target.href);
  else if (anchor.includes(".") && !target && /\/api\/[^/]+-[^/]+\/$/.test(location.pathname))
    location.replace(location.pathname.replace(/-[^/]+\/$/, `/#${anchor}`));
}

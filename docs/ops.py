"""Fills the page of ops from the op table when the site is built."""

from lamina_flatarray.ops import FAMILIES, OPS


def on_page_markdown(markdown, page, config, files):
    if page.file.src_path != "ops.md":
        return markdown
    lines = [markdown, ""]
    for family, meaning in FAMILIES.items():
        lines += [f"## {family}", "", meaning[0].upper() + meaning[1:] + ".", ""]
        lines += [
            "| op | PyTorch | inputs | parameters | dtype rule | meaning | required |",
            "|---|---|---|---|---|---|---|",
        ]
        for row in OPS.values():
            if row.family == family:
                inputs, params = ", ".join(row.inputs), ", ".join(row.params)
                doc = row.doc.replace("|", "\\|").replace("*", "\\*")
                cells = [
                    f"`{row.name}`",
                    row.torch,
                    inputs.replace("*", "\\*"),
                    params,
                    row.rule,
                    doc,
                    "yes" if row.required else "",
                ]
                lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)

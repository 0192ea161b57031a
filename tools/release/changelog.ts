const unreleased = '## Unreleased'

/** The changelog in which what was not released yet stands under a version, and the text of that version alone. */
export function releaseChangelog(
  text: string,
  { version, date }: { readonly version: string; readonly date: string },
): { readonly text: string; readonly notes: string } {
  const start = text.indexOf(`${unreleased}\n`)
  if (start < 0) throw new Error(`Cannot release ${version}: CHANGELOG.md has no "${unreleased}"`)
  const from = start + unreleased.length
  const next = text.indexOf('\n## ', from)
  const notes = text.slice(from, next < 0 ? undefined : next).trim()
  if (notes === '') throw new Error(`Cannot release ${version}: nothing stands under "${unreleased}" in CHANGELOG.md`)
  const heading = `${unreleased}\n\n## ${version} (${date})`
  return { text: `${text.slice(0, start)}${heading}${text.slice(from)}`, notes }
}

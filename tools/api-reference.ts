/** Writes the API reference: a page of Markdown for each entry of the package. */
import type { EntryExports, ExportedName, Kind } from './declarations/exported-names.ts'

/** A page of the reference. */
export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly text: string
}

const folder = 'docs/api'
const notice = '<!-- Generated from the declarations by tools/check-api-reference.ts --update. -->'
const headings: readonly (readonly [Kind, string])[] = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['constant', 'Constants'],
  ['type', 'Types'],
]

/** The pages of all entries, and one that lists them. A name is described on the page of the first entry that exports it. */
export function writePages(entries: readonly EntryExports[]): Page[] {
  const places = placesOf(entries)
  const pages = entries.map(({ entry, doc, names }) => {
    const own = ownNames(entry, names, places)
    const others = names.filter((one) => !own.includes(one))
    return page(fileOf(entry), [`# ${entry}`, notice, doc, ...described(own), ...elsewhere(others, places)])
  })
  return [indexPage(entries, places), ...pages]
}

function page(name: string, parts: readonly string[]): Page {
  return { path: `${folder}/${name}`, text: `${parts.filter((part) => part !== '').join('\n\n')}\n` }
}

function ownNames(
  entry: string,
  names: readonly ExportedName[],
  places: ReadonlyMap<string, Place>,
): readonly ExportedName[] {
  return names.filter(({ name, origin }) => places.get(key(name, origin))?.entry === entry)
}

interface Place {
  readonly entry: string
  /** The name of its heading among those of the page. */
  readonly anchor: string
}

/** Where each name is described. */
function placesOf(entries: readonly EntryExports[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const { entry, names } of entries) {
    const own = names.filter(({ name, origin }) => !places.has(key(name, origin)))
    const used = new Map<string, number>()
    for (const { name, origin } of inOrder(own)) {
      // headings that differ in case alone are numbered, as those who show Markdown do
      const slug = name.toLowerCase()
      const count = used.get(slug) ?? 0
      used.set(slug, count + 1)
      places.set(key(name, origin), { entry, anchor: count === 0 ? slug : `${slug}-${count}` })
    }
  }
  return places
}

function key(name: string, origin: string): string {
  return `${name} ${origin}`
}

/** As they stand on a page. */
function inOrder(names: readonly ExportedName[]): readonly ExportedName[] {
  return headings.flatMap(([kind]) => names.filter((one) => one.kind === kind))
}

function described(names: readonly ExportedName[]): string[] {
  return headings.flatMap(([kind, heading]) => {
    const chosen = names.filter((one) => one.kind === kind)
    return chosen.length === 0 ? [] : [`## ${heading}`, ...chosen.flatMap(describeName)]
  })
}

function describeName({ name, doc, declaration }: ExportedName): string[] {
  return [`### ${name}`, ...(doc === '' ? [] : [doc]), `\`\`\`ts\n${declaration}\n\`\`\``]
}

function elsewhere(names: readonly ExportedName[], places: ReadonlyMap<string, Place>): string[] {
  if (names.length === 0) return []
  const links = names.map(({ name, origin }) => {
    const place = places.get(key(name, origin))
    return place === undefined ? `\`${name}\`` : `[\`${name}\`](${fileOf(place.entry)}#${place.anchor})`
  })
  return ['## Described on other pages', links.join(' · ')]
}

function indexPage(entries: readonly EntryExports[], places: ReadonlyMap<string, Place>): Page {
  const rows = entries.map(({ entry, doc, names }) => {
    const values = ownNames(entry, names, places)
      .filter(({ kind }) => kind === 'function' || kind === 'class')
      .map(({ name }) => `\`${name}\``)
    const has = values.length === 0 ? `a part of \`${entries[0]?.entry}\`` : values.join(', ')
    return `| [\`${entry}\`](${fileOf(entry)}) | ${doc} | ${has} |`
  })
  const table = ['| import from | what it is for | functions and classes |', '| --- | --- | --- |', ...rows].join('\n')
  return page('README.md', ['# API reference', notice, table])
}

/** `@trunkline/mcp/auth/resource` has the page `auth-resource.md`, and the package itself `mcp.md`. */
function fileOf(entry: string): string {
  const [, name = '', ...rest] = entry.split('/')
  return `${rest.length === 0 ? name : rest.join('-')}.md`
}

/** Writes the API reference: a page of Markdown for each entry of the package, and for names that several entries share. */
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

/** A page for names that several parts of the package share; it is chosen by the source that declares them. */
interface Topic {
  readonly file: string
  readonly title: string
  readonly doc: string
  readonly source: RegExp
}

const shared = 'Import them from `@trunkline/mcp`; the entries that use them export them too.'
const topics: readonly Topic[] = [
  {
    file: 'error-types.md',
    title: 'Errors',
    doc: `Errors that are thrown and sent, and their codes; [errors.md](../errors.md) says what to do about each. ${shared}`,
    source: /\/wire\/errors\./,
  },
  {
    file: 'schema-types.md',
    title: 'Schemas',
    doc: `Schemas that tools and questions accept, and the types they give. ${shared}`,
    source: /\/schema\//,
  },
  {
    file: 'protocol-types.md',
    title: 'Types of the protocol',
    doc: `Tools, resources, prompts, content, capabilities and questions, as the protocol defines them. ${shared}`,
    source: /\/model\//,
  },
  {
    file: 'channels.md',
    title: 'Channels, messages and calls',
    doc: `Channels that carry messages, the messages, and the calls that they make up. ${shared}`,
    source: /\/(?:rpc|wire)\//,
  },
]

/** The pages of all entries and topics, and one that lists them. Each name is described on one page. */
export function writePages(entries: readonly EntryExports[]): Page[] {
  const places = placesOf(entries)
  const pages = entries.map(({ entry, doc, names }) => {
    const file = fileOf(entry)
    const own = names.filter((one) => places.get(keyOf(one))?.file === file)
    const others = names.filter((one) => !own.includes(one))
    return page(file, [`# ${entry}`, notice, doc, ...described(own), ...elsewhere(others, places)])
  })
  const all = new Map(entries.flatMap(({ names }) => names.map((one) => [keyOf(one), one] as const)))
  const topicPages = topics.flatMap(({ file, title, doc }) => {
    const own = [...all.values()].filter((one) => places.get(keyOf(one))?.file === file)
    return own.length === 0 ? [] : [page(file, [`# ${title}`, notice, doc, ...described(own)])]
  })
  return [indexPage(entries, topicPages), ...pages, ...topicPages]
}

function page(name: string, parts: readonly string[]): Page {
  return { path: `${folder}/${name}`, text: `${parts.filter((part) => part !== '').join('\n\n')}\n` }
}

/** The page and the heading of a name. */
interface Place {
  readonly file: string
  readonly anchor: string
}

/** Page that describes each name. */
function placesOf(entries: readonly EntryExports[]): ReadonlyMap<string, Place> {
  const exporters = new Map<string, string[]>()
  for (const { entry, names } of entries)
    for (const one of names) exporters.set(keyOf(one), [...(exporters.get(keyOf(one)) ?? []), entry])
  const places = new Map<string, Place>()
  const used = new Map<string, number>()
  for (const one of inOrder(entries.flatMap(({ names }) => names))) {
    if (places.has(keyOf(one))) continue
    const file = pageOf(one, exporters.get(keyOf(one)) ?? [], entries[0]?.entry)
    // headings that differ in case alone are numbered, as those who show Markdown do
    const slug = one.name.toLowerCase()
    const count = used.get(`${file} ${slug}`) ?? 0
    used.set(`${file} ${slug}`, count + 1)
    places.set(keyOf(one), { file, anchor: count === 0 ? slug : `${slug}-${count}` })
  }
  return places
}

/** The page of a name: of the one part that exports it besides the package itself, or of a topic if several parts do. */
function pageOf({ origin }: ExportedName, exporters: readonly string[], whole: string | undefined): string {
  const parts = exporters.filter((entry) => entry !== whole)
  const topic = parts.length > 1 && parts.length < exporters.length && topics.find(({ source }) => source.test(origin))
  return topic ? topic.file : fileOf(parts[0] ?? whole ?? '')
}

function keyOf({ name, origin }: ExportedName): string {
  return `${name} ${origin}`
}

/** Sorts names by heading, as a page lists them. */
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
  const files = [...new Set(names.map((one) => places.get(keyOf(one))?.file ?? ''))]
  return [
    '## Described on other pages',
    ...files.map((file) => {
      const links = names.flatMap((one) => {
        const place = places.get(keyOf(one))
        return place?.file === file ? [`[\`${one.name}\`](${file}#${place.anchor})`] : []
      })
      return `On [${file}](${file}):\n${links.join(' ·\n')}`
    }),
  ]
}

function indexPage(entries: readonly EntryExports[], topicPages: readonly Page[]): Page {
  const rows = entries.map(({ entry, doc, names }) => {
    const values = names.filter(({ kind }) => kind === 'function' || kind === 'class').map(({ name }) => `\`${name}\``)
    return `| [\`${entry}\`](${fileOf(entry)}) | ${doc} | ${values.join(', ')} |`
  })
  const table = ['| import from | what it is for | functions and classes |', '| --- | --- | --- |', ...rows].join('\n')
  const written = topics.filter(({ file }) => topicPages.some(({ path }) => path === `${folder}/${file}`))
  const links = written.map(({ file, title, doc }) => `- [${title}](${file}): ${doc}`).join('\n')
  return page('README.md', ['# API reference', notice, table, ...(links === '' ? [] : ['## Shared names', links])])
}

/** `@trunkline/mcp/auth/resource` has the page `auth-resource.md`, and the package itself `mcp.md`. */
function fileOf(entry: string): string {
  const [, name = '', ...rest] = entry.split('/')
  return `${rest.length === 0 ? name : rest.join('-')}.md`
}

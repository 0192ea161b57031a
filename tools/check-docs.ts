/**
 * Fails when a page of `docs/` is in no index, when a link between pages leads nowhere, or when the index of decisions
 * differs from the pages.
 */
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type File, readFiles, root } from './lib/files.ts'
import { lineAt, type Problem, report } from './lib/problem.ts'

const decisions = 'docs/decisions'

/** Finds pages that the `README.md` of their folder does not link to, and folders that `docs/README.md` does not link to. */
export function checkIndexes(pages: readonly File[]): Problem[] {
  return pages
    .filter(({ path }) => path.startsWith('docs/') && path !== 'docs/README.md')
    .flatMap(({ path }) => {
      const index = indexOf(path)
      const text = pages.find((page) => page.path === index)?.text ?? ''
      const isListed = linksIn(text).some(({ target }) => resolved(index, target).path === path)
      return isListed ? [] : [{ path, message: `"${index}" does not link to this page` }]
    })
}

/** The page that has to list a page: the `README.md` of its folder, and for that one the index above. */
function indexOf(path: string): string {
  const folder = posix.dirname(path)
  return posix.join(posix.basename(path) === 'README.md' ? posix.dirname(folder) : folder, 'README.md')
}

/** Finds links to files that do not exist, and to headings that a page does not have. */
export function checkLinks(pages: readonly File[], exists: (path: string) => boolean): Problem[] {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  return pages.flatMap(({ path, text }) =>
    linksIn(text).flatMap(({ target, index }): Problem[] => {
      const to = resolved(path, target)
      const page = byPath.get(to.path)
      const isThere = page ? to.heading === '' || headingsOf(page).has(to.heading) : exists(to.path)
      return isThere ? [] : [{ path, line: lineAt(text, index), message: `This link leads nowhere: ${target}` }]
    }),
  )
}

/** Compares each decision with the name of its file and with its row in the index. */
export function checkDecisions(pages: readonly File[]): Problem[] {
  const index = pages.find(({ path }) => path === `${decisions}/README.md`)?.text ?? ''
  return pages
    .filter(({ path }) => path.startsWith(`${decisions}/`) && !path.endsWith('/README.md'))
    .flatMap(({ path, text }): Problem[] => {
      const name = posix.basename(path)
      const date = name.slice(0, 10)
      const [, title = '', status = ''] = /^# (.+)\n\nStatus: (.+)\n/.exec(text) ?? []
      const row = `| ${date} | [${title}](${name}) | ${status} |`
      if (!/^(?:accepted|superseded by \[.+\]\(.+\))$/.test(status))
        return [{ path, message: 'Write "Status: accepted" or "Status: superseded by [title](file)" below the title' }]
      if (name !== `${date}-${fileNameOf(title)}.md`)
        return [{ path, message: `The name does not follow the title: "${date}-${fileNameOf(title)}.md"` }]
      return index.includes(`${row}\n`) ? [] : [{ path, message: `The index of decisions lacks this row: ${row}` }]
    })
}

function fileNameOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/['`]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

interface Link {
  readonly target: string
  readonly index: number
}

/** The links of a page to files of the repository and to its own headings; blocks of code have none. */
function linksIn(text: string): Link[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$|`[^`\n]*`/gm, (code) => code.replaceAll(/[^\n]/g, ' '))
  return [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
    .map(({ 1: link, 2: attribute, index }) => ({ target: link ?? attribute ?? '', index }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))
}

function resolved(from: string, target: string): { readonly path: string; readonly heading: string } {
  const [file = '', heading = ''] = target.split('#')
  return { path: file === '' ? from : posix.join(posix.dirname(from), file), heading }
}

/** The addresses of the headings of a page, as GitHub makes them. */
function headingsOf({ text }: File): Set<string> {
  const found = new Set<string>()
  for (const [, title = ''] of text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const address = title
      .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let count = 0
    while (found.has(count === 0 ? address : `${address}-${count}`)) count++
    found.add(count === 0 ? address : `${address}-${count}`)
  }
  for (const [, id = ''] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) found.add(id)
  return found
}

if (import.meta.main) {
  const pages = readFiles('*.md', 'docs/**/*.md', 'tools/**/*.md', 'packages/**/README.md', 'bench/**/*.md')
  report(
    [...checkIndexes(pages), ...checkLinks(pages, (path) => existsSync(join(root, path))), ...checkDecisions(pages)],
    `${pages.length} pages, each in an index, and every link leads somewhere`,
  )
}

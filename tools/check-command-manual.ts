/** Fails when the manual of the command is not what the commands say of themselves; `--update` writes it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { manPage } from '../packages/cli/src/manual/man-page.ts'
import { markdownManual } from '../packages/cli/src/manual/markdown.ts'
import { needsPage } from '../packages/cli/src/manual/needs.ts'
import { registry } from '../packages/cli/src/registry.ts'
import { routes } from '../packages/host/src/api/routes.ts'
import { root } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'

/** The pages as they have to be, by path. */
export async function manualPages(): Promise<ReadonlyMap<string, string>> {
  const commands = await Promise.all(Object.values(registry).map((load) => load()))
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string }
  return new Map([
    ['docs/command.md', markdownManual(commands)],
    ['docs/needs.md', needsPage(commands, routeRows())],
    ['packages/cli/man/trunkline.1', manPage(commands, version)],
  ])
}

function routeRows() {
  return Object.values(routes).map(({ method, path, needs, says }) => ({ form: `${method} ${path}`, needs, says }))
}

/** Finds the pages that are not as they have to be. */
export function checkManual(pages: ReadonlyMap<string, string>, read: (path: string) => string | undefined): Problem[] {
  return [...pages]
    .filter(([path, text]) => read(path) !== text)
    .map(([path]) => ({ path, message: 'Not what the commands say: run node tools/check-command-manual.ts --update' }))
}

function readPage(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
}

if (import.meta.main) {
  const pages = await manualPages()
  if (process.argv.includes('--update')) {
    for (const [path, text] of pages) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
  report(checkManual(pages, readPage), `${pages.size} pages, as the commands say`)
}

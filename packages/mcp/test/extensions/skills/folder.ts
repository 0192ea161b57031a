/** Directories of skills on disk, for tests. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A `SKILL.md` with what every skill has. */
export const skillText = (name: string, body = 'Do it.', more = ''): string =>
  `---\nname: ${name}\ndescription: How ${name} is done.\n${more}---\n\n${body}\n`

/** A directory with these files in it, which is gone when the test is over. */
export function skillFolder(files: { readonly [path: string]: string | Uint8Array }) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'skills-')))
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  return { root, write, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A directory with files in it, beside a secret that lies outside of it; gone at the end of the block. */
export function sandbox(files: { readonly [path: string]: string | Uint8Array } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trunkline-files-')))
  const inside = join(root, 'inside')
  const outside = join(root, 'inside-not')
  mkdirSync(inside)
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), 'OUTSIDE')
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(inside, path)), { recursive: true })
    writeFileSync(join(inside, path), content)
  }
  return { inside, outside, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

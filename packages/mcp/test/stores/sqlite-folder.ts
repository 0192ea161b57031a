/** A folder for a store file that goes away with its test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder, and the path of a file in it. */
export function storeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-store-'))
  return {
    folder,
    path: join(folder, 'server.db'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

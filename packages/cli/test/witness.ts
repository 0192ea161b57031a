import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../tools/lib/until.ts'

/** A folder with a file in which a server writes down what it was asked to do. */
export function witness() {
  const folder = mkdtempSync(join(tmpdir(), 'command-'))
  const file = join(folder, 'witness')
  const seen = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return {
    folder,
    file,
    /** The option that gives the server the file. */
    env: ['--env', `WITNESS=${file}`],
    /** Output of the server. */
    seen,
    /** Resolves when the server has written something. */
    async whenSeen(wanted: RegExp): Promise<void> {
      await until(() => wanted.test(seen()), `${wanted} from the server`)
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

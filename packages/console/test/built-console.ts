/** The console as the host serves it, built of the sources as they are now. */
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { consoleFolder } from '@trunkline/console'
import { withLock } from '@trunkline/host/api'

let built: Promise<string> | undefined

/** The folder of the built console; of test files that run at the same time, one builds it. */
export function builtConsole(): Promise<string> {
  built ??= build()
  return built
}

async function build(): Promise<string> {
  const program = fileURLToPath(new URL('../build.js', import.meta.url))
  const lock = join(tmpdir(), `trunkline-console-${Buffer.from(program).toString('base64url').slice(-32)}.lock`)
  await withLock(lock, () => promisify(execFile)(process.execPath, [program]), { timeoutMs: 300_000 })
  return consoleFolder
}

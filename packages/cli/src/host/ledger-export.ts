import { open } from 'node:fs/promises'
import type { HostLink } from './host-link.ts'

/** Every line of the ledger as it was written, oldest first, and at last the tip that signs them. */
export async function* ledgerLines({ call }: HostLink): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const { lines, after: last, tip } = await call('exportLedger', { after })
    yield* lines
    if (tip) return yield JSON.stringify({ tip })
    after = last
  }
}

/** Writes the ledger to a new file that only its owner can read; tells how many lines it has. */
export async function exportToFile(host: HostLink, path: string): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  // the tip is no line
  let count = -1
  try {
    for await (const line of ledgerLines(host)) {
      await file.write(`${line}\n`)
      count += 1
    }
  } finally {
    await file.close()
  }
  return count
}

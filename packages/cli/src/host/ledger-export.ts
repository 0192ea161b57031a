import { open } from 'node:fs/promises'
import type { HostLink } from './host-link.ts'

/** Every line of the ledger as it was written, oldest first. */
export async function* ledgerLines({ call }: HostLink): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const page = await call('exportLedger', { after })
    yield* page.lines
    if (page.lines.length === 0) return
    after = page.after
  }
}

/** Writes the ledger to a new file that only its owner can read; tells how many lines it has. */
export async function exportToFile(host: HostLink, path: string): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  let count = 0
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

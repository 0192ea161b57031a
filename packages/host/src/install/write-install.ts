import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Places } from '../config/places.ts'
import { writeFileWhole } from '../store/write-file.ts'
import { type ClientChange, installRecordPath } from './plan-install.ts'

/** Writes a change to a client's file, with what is needed to undo it written first. */
export async function writeInstall(change: ClientChange, places: Places): Promise<void> {
  const record = installRecordPath(places, change.client)
  await mkdir(dirname(record), { recursive: true, mode: 0o700 })
  const { also = [] } = change
  for (const { file, before } of [change, ...also]) {
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== before) {
      throw new Error(`"${file}" changed meanwhile; look at it again`)
    }
  }
  if (change.before !== undefined) {
    const digest = createHash('sha256').update(change.before).digest('hex').slice(0, 8)
    await writeFile(`${record}.${digest}.backup`, change.before, { mode: 0o600 })
  }
  await writeFileWhole(record, JSON.stringify(change))
  for (const { file, after } of [change, ...also]) {
    await mkdir(dirname(file), { recursive: true })
    await writeFileWhole(file, after)
  }
}

/** Whether a client was connected to the host. */
export async function isInstalled(client: string, places: Places): Promise<boolean> {
  const record = await stat(installRecordPath(places, client)).catch(() => undefined)
  return record !== undefined
}

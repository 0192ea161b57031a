import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readInstallRecord } from '../src/clients/install/install-record.ts'
import { type InstallOptions, planInstall } from '../src/clients/install/plan-install.ts'
import { undoInstall } from '../src/clients/install/undo-install.ts'
import { writeInstall } from '../src/clients/install/write-install.ts'
import { findPlaces } from '../src/config/places.ts'
import type { ServerEntry } from '../src/config/schema/server-entry.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A server of the host in these homes, which clients have too. */
export const notes: ServerEntry = { command: 'notes', env: { TOKEN: 'x' } }

/** The reason for an entry that the host does not run. */
export const whyNone = 'Trunkline has no server that runs this; "trunkline init" takes it over'

/** A home with a file of Cursor in it, and functions that install there. */
export function installHome(text?: string) {
  const folder = temporaryFolder()
  const machine = { platform: 'linux' as const, home: folder.path, environment: {} }
  const places = findPlaces(machine)
  const file = join(folder.path, '.cursor/mcp.json')
  const write = (path: string, content: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  if (text !== undefined) write(file, text)
  const plan = (client: string, more: Partial<InstallOptions> = {}) =>
    planInstall(client, {
      machine,
      launcher: ['/usr/bin/node', '/opt/tl.js'],
      servers: new Map([
        ['notes', notes],
        ['shop', { command: 'shop' }],
      ]),
      ...more,
    })
  return {
    ...{ path: folder.path, machine, places, file, write, plan },
    read: (path = file) => readFileSync(path, 'utf8'),
    async install(client = 'cursor', more: Partial<InstallOptions> = {}) {
      const installed = await readInstallRecord(places, client)
      const change = await plan(client, { installed, ...more })
      await writeInstall(change, places)
      return change
    },
    async undo(client = 'cursor') {
      const record = (await readInstallRecord(places, client)) ?? assert.fail(`${client} is not connected`)
      return undoInstall(record, machine, places)
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

/** A home that an earlier version wrote, at the path it was written for, since its acceptances name that path. */
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

/** The folder with the files of earlier versions, one for each. */
export const fixtures = join(import.meta.dirname, 'fixtures')
/** The server that all entries start. */
export const program = join(import.meta.dirname, 'notes.cjs')
/** The path that the fixtures were written at. */
export const upgradeFolder = '/tmp/trunkline-upgrade'

/** Files of an earlier version, in their places. */
export interface UpgradedHome extends AsyncDisposable {
  readonly home: string
  readonly project: string
  /** Time of the last write, as in `Date.now()`. */
  readonly madeAt: number
  /** The tokens of its clients, by name. */
  readonly tokens: { readonly [client: string]: string }
}

/** The versions that there are fixtures of. */
export const versions = readdirSync(fixtures)

/** Places the files of a version; waits while another process has its home there. */
export async function upgradedHome(version: string): Promise<UpgradedHome> {
  await alone()
  const from = join(fixtures, version)
  cpSync(from, upgradeFolder, { recursive: true })
  cpSync(program, join(upgradeFolder, 'notes.cjs'))
  const state = join(upgradeFolder, 'home/.local/state/trunkline')
  // a repository does not keep who may read a file
  chmodSync(state, 0o700)
  chmodSync(join(state, 'command-token'), 0o600)
  const store = join(state, 'trunkline.db')
  writeFileSync(store, gunzipSync(readFileSync(`${store}.gz`)), { mode: 0o600 })
  rmSync(`${store}.gz`)
  const { at, tokens } = JSON.parse(readFileSync(join(from, 'made.json'), 'utf8'))
  return {
    home: join(upgradeFolder, 'home'),
    project: join(upgradeFolder, 'shop'),
    madeAt: at,
    tokens,
    async [Symbol.asyncDispose]() {
      discard()
    },
  }
}

/** One process at a time has the folder; that of a dead one is removed. It comes with its owner, and goes, in one step. */
async function alone(): Promise<void> {
  const own = mkdtempSync(`${upgradeFolder}-`)
  writeFileSync(join(own, 'owner'), String(process.pid))
  for (;;) {
    try {
      return renameSync(own, upgradeFolder)
    } catch {
      if (isAlive(ownerPid(join(upgradeFolder, 'owner')))) await wait(100)
      else discard()
    }
  }
}

function discard(): void {
  const gone = mkdtempSync(`${upgradeFolder}-`)
  try {
    renameSync(upgradeFolder, gone)
  } catch {
    // another process was faster
  }
  rmSync(gone, { recursive: true, force: true })
}

function ownerPid(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

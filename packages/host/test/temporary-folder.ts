import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder of Linux whose files are in memory. */
const memory = '/dev/shm'
/** Room that it must have, far more than all tests at once fill. */
const roomBytes = 2 * 1024 ** 3
const usual = process.env.TMPDIR === undefined && hasRoomInMemory() ? memory : tmpdir()

/** Options of a temporary folder. */
export interface TemporaryFolderOptions {
  /** True for tests of sandboxes, in which all files in memory are hidden with the devices of the machine. @default false */
  readonly onDisk?: boolean
}

/**
 * A folder that is removed with all that is in it at the end of the block. It is in memory where that is possible, since
 * a store waits for the disk a dozen times when it is made.
 */
export function temporaryFolder({ onDisk = false }: TemporaryFolderOptions = {}): Disposable & {
  readonly path: string
} {
  const path = mkdtempSync(join(onDisk ? tmpdir() : usual, 'trunkline-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > roomBytes
  } catch {
    return false
  }
}

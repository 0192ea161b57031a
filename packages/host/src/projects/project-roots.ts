import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { EffectiveConfig } from '../config/effective.ts'

/** The folders that a person set as roots of a project, with `~` for the home directory; undefined where they set none. */
export async function projectRoots(
  { settings }: Pick<EffectiveConfig, 'settings'>,
  root: string | undefined,
  home: string,
): Promise<readonly string[] | undefined> {
  if (root === undefined) return undefined
  for (const [folder, { roots }] of Object.entries(settings.projects ?? {})) {
    const path = fromHome(folder, home)
    // a project has its name with links followed
    if (roots && (await realpath(path).catch(() => path)) === root) return roots.map((one) => fromHome(one, home))
  }
  return undefined
}

function fromHome(folder: string, home: string): string {
  return folder.startsWith('~/') ? join(home, folder.slice(2)) : folder
}

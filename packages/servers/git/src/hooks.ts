import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Repository } from './repository.ts'

/** Hooks of git that each kind of write would run. */
export const hooksOf = {
  commit: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge'],
  switch: ['post-checkout'],
  push: ['pre-push'],
} as const

/** The hooks that a repository has for a write; they are not run. */
export async function skippedHooks(repository: Repository, kind: keyof typeof hooksOf): Promise<readonly string[]> {
  const path = repository.settings.findLast(({ key }) => key === 'core.hookspath')?.value
  const folder = path === undefined ? join(repository.commonDir, 'hooks') : resolve(repository.root, path)
  const names = await readdir(folder).catch((): string[] => [])
  const found: string[] = []
  for (const name of hooksOf[kind].filter((each) => names.includes(each))) {
    const state = await stat(join(folder, name)).catch(() => undefined)
    if (state?.isFile() && (process.platform === 'win32' || (state.mode & 0o111) !== 0)) found.push(name)
  }
  return found
}

/** A sentence about hooks that do not run. */
export function skippedLine(hooks: readonly string[]): readonly string[] {
  return hooks.length === 0 ? [] : [`does not run the hooks ${hooks.join(', ')}`]
}

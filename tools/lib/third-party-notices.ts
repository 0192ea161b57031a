import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Licensed {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The licences of the packages that sources were taken from, as they want to be shipped with the code. */
export function thirdPartyNotices(sources: readonly string[]): string {
  const folders = new Set(sources.flatMap(packageFolder))
  const notices = [...folders].map(notice).sort()
  return `Code of these packages is part of this one, under their licences.\n\n${[...new Set(notices)].join('\n')}`
}

/** The folder of the package that a source is of; a source of ours is of none. */
function packageFolder(source: string): readonly string[] {
  const found = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1]
  return found !== undefined && existsSync(join(found, 'package.json')) ? [found] : []
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Licensed
  const [file] = globSync('licen[cs]e*', { cwd: folder }).concat(globSync('LICEN[CS]E*', { cwd: folder }))
  if (license === undefined) throw new Error(`Cannot ship code of ${name}: its package.json names no licence`)
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return `${'-'.repeat(80)}\n${name} ${version}, ${license}\n${text}`
}

/** Builds every published package and packs it: tarballs that install in any project, below `dist/`. */
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, dist } from './build.ts'
import { buildCommand, commandPackage, hostPackages } from './build-command.ts'
import { root } from './lib/files.ts'
import { fail } from './lib/problem.ts'
import { must } from './lib/run.ts'

/** The folder of the tarballs. */
export const tarballFolder = join(root, 'dist')

/** Builds and packs all packages, those first that others need, and gives back the paths of their tarballs. */
export async function packAll(): Promise<readonly string[]> {
  await build()
  await buildCommand()
  rmSync(tarballFolder, { recursive: true, force: true })
  mkdirSync(tarballFolder, { recursive: true })
  const packages = [dist, ...hostPackages, commandPackage]
  // a script of npm hands its settings down, and a dry run among them would write nothing
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballFolder]
  const names = (await must('npm', [...pack, ...packages], { env })).trim().split('\n').slice(-packages.length)
  return names.map((name) => join(tarballFolder, name))
}

async function main(): Promise<void> {
  const tarballs = (await packAll()).map((path) => relative(root, path))
  for (const path of tarballs) console.log(path)
  console.log(`\nIn a project of yours: npm install ${tarballs.map((path) => join('…', path)).join(' ')}`)
}

if (import.meta.main) await main().catch(fail)

/** Installs the built package as a user would, compiles programs of users with it, and calls a tool on the Node of this machine. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, posix } from 'node:path'
import { build, dist } from './build.ts'
import { isBuilt } from './lib/already-built.ts'
import { dependencyClosure, placeInstalled } from './lib/dependency-closure.ts'
import { root } from './lib/files.ts'
import type { Manifest } from './lib/manifest.ts'
import { fail } from './lib/problem.ts'
import { must } from './lib/run.ts'
import { oldestNode } from './lib/supported.ts'
import { isAtLeast } from './lib/version.ts'
import { compileAll } from './smoke/compile.ts'
import { followGuides } from './smoke/follow-guides.ts'
import { lintPackage } from './smoke/lint-package.ts'

/** The first Node on a search path that no development dependency brought. */
export function ownNode(searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/](?:\.bin|node[\\/]bin)/.test(folder))
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
    .find((path) => existsSync(path))
}

async function smoke(): Promise<string> {
  if (!isBuilt()) await build()
  const folder = mkdtempSync(join(tmpdir(), 'smoke-'))
  try {
    const linted = await lintPackage(dist, await install(folder))
    const compiled = await compileAll(folder)
    return [linted, compiled, await runOnOwnNode(folder)].join(', ')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Installs the package and gives back the path of its tarball. */
async function install(folder: string): Promise<string> {
  // a script of npm hands its settings down, and here they would point back at the workspace
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  // a cache of its own is empty, as that of a newcomer is; nothing is fetched, so the dependencies are there before
  const env = { ...Object.fromEntries(inherited), npm_config_cache: join(folder, 'cache') }
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const packed = await must('npm', [...pack, dist], { cwd: dist, env })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  const tarball = packed.trim().split('\n').at(-1) ?? ''
  placeInstalled(dependencyClosure([dist]), join(folder, 'node_modules'))
  await must('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder, env })
  cpSync(join(root, 'tools/smoke/run'), folder, { recursive: true })
  return join(folder, tarball)
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8')) as Manifest
}

/** The programs of users run on the Node that the machine has, and so do those of the guides. */
async function runOnOwnNode(folder: string): Promise<string> {
  const node = ownNode(process.env.PATH ?? '')
  if (node === undefined) return 'skipped the run: this machine has no Node of its own'
  const version = (await must(node, ['-p', 'process.versions.node'])).trim()
  if (!isAtLeast(version, oldestNode)) return `skipped the run: Node ${version} is older than ${oldestNode}`
  const ran = await runClient(folder, node)
  return `${ran}, ${await followGuides(folder, node)} on Node ${version}`
}

async function runClient(folder: string, node: string): Promise<string> {
  const { name, exports = {} } = readManifest()
  const entries = Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => posix.join(name, entry))
  await must(node, ['client.js', ...entries], { cwd: folder })
  return `${entries.length} entries and two tool calls`
}

if (import.meta.main) await smoke().then(console.log, fail)

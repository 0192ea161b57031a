/** Installs the built command as a user would, into an empty folder with an empty home, and uses it. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build, dist } from './build.ts'
import { buildCommand, commandPackages } from './build-command.ts'
import { dependencyClosure } from './lib/dependency-closure.ts'
import { root } from './lib/files.ts'
import { fail } from './lib/problem.ts'
import { must } from './lib/run.ts'

interface Installed {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

async function smokeCommand(): Promise<string> {
  await build()
  await buildCommand()
  const folder = mkdtempSync(join(tmpdir(), 'smoke-command-'))
  try {
    const installed = await install(folder)
    const version = await says(installed, /^trunkline \d+\.\d+\.\d+$/, '--version')
    await says(installed, /"servers": \[\]/, 'init', '--json')
    await says(installed, /"name": "read_file"/, 'tools', '--json', '--', 'trunkline-files', '.')
    const page = await hostServesPage(installed)
    return `${version}, its tools, its host and ${page} from an empty folder`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Packs our packages and all they need, since nothing is fetched, and installs them. */
async function install(folder: string): Promise<Installed> {
  const home = join(folder, 'home')
  const project = join(folder, 'project')
  for (const path of [home, project]) mkdirSync(path)
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_|^XDG_|^TRUNKLINE_|^CI$/i.test(name))
  const PATH = [join(project, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { ...Object.fromEntries(inherited), HOME: home, PATH, npm_config_cache: join(folder, 'cache') }
  const ours = [dist, ...commandPackages]
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const packages = [...ours, ...dependencyClosure([...ours, join(root, 'packages/host'), join(root, 'packages/cli')])]
  const packed = await must('npm', [...pack, ...packages], { cwd: root, env })
  const tarballs = packed.trim().split('\n').slice(-packages.length)
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  const files = tarballs.map((tarball) => `../${tarball}`)
  await must('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: project, env })
  return { folder: project, env }
}

/** Runs the command as `npx` finds it; what it prints must fit. */
async function says({ folder, env }: Installed, wanted: RegExp, ...args: readonly string[]): Promise<string> {
  const printed = await must('npx', ['--offline', 'trunkline', ...args], { cwd: folder, env, limitMs: 120_000 })
  if (!wanted.test(printed.trim())) throw new Error(`Cannot use "trunkline ${args.join(' ')}": it printed\n${printed}`)
  return printed.trim()
}

/** Starts the host and reads the first page from it. */
async function hostServesPage({ folder, env }: Installed): Promise<string> {
  const child = spawn('trunkline', ['up', '--json', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const line of createInterface(child.stdout)) {
      const { event, mcp, console: page, tokenFile } = JSON.parse(line)
      if (event !== 'ready') throw new Error(`Cannot start the host: it began with ${line}`)
      const answer = await fetch(page)
      if (!answer.ok || !/<script/.test(await answer.text())) throw new Error(`Cannot open ${page}: ${answer.status}`)
      const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`
      const refused = await fetch(mcp, { method: 'POST' })
      const admitted = await fetch(mcp, { method: 'POST', headers: { authorization } })
      if (refused.status !== 401 || admitted.status === 401) throw new Error(`Cannot reach ${mcp} with its own token`)
      return 'its page'
    }
    throw new Error('Cannot start the host: it ended without a word')
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.kill('SIGTERM')) await ended
  }
}

if (import.meta.main) await smokeCommand().then((said) => console.log(said), fail)

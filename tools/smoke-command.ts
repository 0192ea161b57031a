/** Installs the built command as a user would, into an empty folder with an empty home, and uses it; then the packages behind it. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { providerKey, scriptedProvider } from '../packages/host/test/model/scripted-provider.ts'
import { build, dist } from './build.ts'
import { buildCommand, commandPackage, hostPackages } from './build-command.ts'
import { isBuilt } from './lib/already-built.ts'
import { dependencyClosure, placeInstalled } from './lib/dependency-closure.ts'
import { root } from './lib/files.ts'
import { fail } from './lib/problem.ts'
import { must } from './lib/run.ts'
import { treeBytes } from './lib/tree-bytes.ts'
import { newProjectPasses } from './smoke/new-project.ts'

interface Installed {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** Limit of the command's installed size: the size in the README, rounded; the smallest of its kind takes 36 MB. */
function mostInstalled(): number {
  const [, told] = /One command of (\d+) MB/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  return (Number(told) + 0.5) * 1e6
}

async function smokeCommand(): Promise<string> {
  if (!isBuilt()) {
    await build()
    await buildCommand()
  }
  const folder = mkdtempSync(join(tmpdir(), 'smoke-command-'))
  try {
    const installed = await install(folder, 'command', [commandPackage])
    const size = installedSize(installed)
    const version = await says(installed, /^trunkline \d+\.\d+\.\d+$/, '--version')
    await says(installed, /"servers": \[\]/, 'init', '--json')
    const server = join(installed.folder, 'node_modules/trunkline/lib/command/files-server.js')
    await says(installed, /"name": "read_file"/, 'tools', '--json', '--', 'node', server, '.')
    await codeIsParsed(installed)
    await modelAnswers(installed)
    const page = await hostServesPage(installed)
    const packages = await packagesLoad(folder, installed)
    return `${version} in ${size}, its tools, its grammars, its model, its host and ${page} from an empty folder; ${packages}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function installedSize({ folder }: Installed): string {
  const bytes = treeBytes(join(folder, 'node_modules'))
  const shown = `${(bytes / 1e6).toFixed(1)} MB`
  if (!(bytes <= mostInstalled()))
    throw new Error(`Cannot ship the command: it takes ${shown}, and the README says ${mostInstalled() / 1e6} at most`)
  return shown
}

/** The packages that programs of others import: each entry loads, the servers start, and a new project works. */
async function packagesLoad(folder: string, command: Installed): Promise<string> {
  const ours = [dist, ...hostPackages]
  const needed = dependencyClosure([...ours, join(root, 'packages/host')])
  const installed = await install(folder, 'packages', ours, needed)
  const { folder: cwd, env } = installed
  const { exports } = JSON.parse(readFileSync(join(cwd, 'node_modules/@trunkline/host/package.json'), 'utf8'))
  const entries = Object.keys(exports).map((entry) => join('@trunkline/host', entry))
  const program = entries.map((entry) => `await import(${JSON.stringify(entry)})`).join('\n')
  await must('node', ['--input-type=module', '-e', program], { cwd, env })
  for (const server of ['files', 'git', 'code']) await must(`trunkline-${server}`, ['--help'], { cwd, env })
  const project = await newProjectPasses({ folder: cwd, env, bin: join(command.folder, 'node_modules/.bin') })
  return `${entries.length} entries of the host, ${project}`
}

/** Packs packages and installs them beside others that are there already, since nothing is fetched. */
async function install(
  folder: string,
  name: string,
  packages: readonly string[],
  others: readonly string[] = [],
): Promise<Installed> {
  const home = join(folder, name, 'home')
  const project = join(folder, name, 'project')
  for (const path of [home, project]) mkdirSync(path, { recursive: true })
  placeInstalled(others, join(project, 'node_modules'))
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_|^XDG_|^TRUNKLINE_|^CI$/i.test(name))
  const PATH = [join(project, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { ...Object.fromEntries(inherited), HOME: home, PATH, npm_config_cache: join(folder, 'cache') }
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const packed = await must('npm', [...pack, ...packages], { cwd: root, env })
  const tarballs = packed.trim().split('\n').slice(-packages.length)
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  const files = tarballs.map((tarball) => join(folder, tarball))
  await must('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: project, env })
  return { folder: project, env }
}

/** Runs the command as `npx` finds it; what it prints must fit. */
async function says({ folder, env }: Installed, wanted: RegExp, ...args: readonly string[]): Promise<string> {
  const printed = await must('npx', ['--offline', 'trunkline', ...args], { cwd: folder, env, limitMs: 120_000 })
  if (!wanted.test(printed.trim())) throw new Error(`Cannot use "trunkline ${args.join(' ')}": it printed\n${printed}`)
  return printed.trim()
}

/** The server of code is added by its name, and parses a file with what the command brought along. */
async function codeIsParsed(installed: Installed): Promise<void> {
  writeFileSync(join(installed.folder, 'sum.ts'), 'export const sum = (a: number, b: number) => a + b\n')
  const added = await says(installed, /"added": "code"/, 'add', 'code', '--json')
  const { command, args } = JSON.parse(added).entry
  await says(installed, /arrow_function/, 'call', 'get_syntax', 'path=sum.ts', '--', command, ...args)
}

/** The model is reached through packages that only a conversation loads. */
async function modelAnswers(installed: Installed): Promise<void> {
  await using provider = await scriptedProvider({ text: ['Good', ' morning'] })
  const folder = join(installed.env.HOME ?? '', '.config/trunkline')
  const best = { provider: 'compatible', url: provider.url, key: `\${MODEL_KEY}` }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'trunkline.json'), JSON.stringify({ models: { best } }))
  const env = { ...installed.env, MODEL_KEY: providerKey, TRUNKLINE_HOST_PORT: '0' }
  try {
    await says({ ...installed, env }, /^Good morning$/m, 'chat', '--print', 'Hello')
  } finally {
    await says(installed, /./, 'down')
  }
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

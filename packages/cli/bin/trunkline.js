#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that one that is too old is replaced or told about.
// Only what every run needs is loaded at once: the version is to be had for hardly more than Node itself takes.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const oldest = [22, 18]

if (process.argv.length === 3 && process.argv[2] === '--version') {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  console.log(`trunkline ${version}`)
} else if (isNewEnough(process.versions.node)) {
  if (isHost(process.argv.slice(2))) (await import('../src/service/host-flags.ts')).runWithHostFlags()
  await keepCompiled()
  hideSqliteWarning()
  const { start } = await import('../src/main.ts')
  await start(process.argv.slice(2))
} else {
  await startWithNewerNode()
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

/** True if this process is to be a host, and not one that starts a host or tells about it. */
function isHost([command, ...options]) {
  return command === 'up' && !options.some((option) => ['--detach', '--help', '-h'].includes(option))
}

/** Most of the time that a small command takes is the compiling of what it loads. */
async function keepCompiled() {
  const module = await import('node:module')
  const { homedir } = await import('node:os')
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const caches = XDG_CACHE_HOME || (process.platform === 'win32' && LOCALAPPDATA) || join(homedir(), '.cache')
  module.enableCompileCache?.(join(caches, 'trunkline', 'compiled'))
}

/** Node 22 says that its SQLite may change. The tests run on it, and who uses the command can do nothing about it. */
function hideSqliteWarning() {
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest)
  }
}

async function startWithNewerNode() {
  const { spawn } = await import('node:child_process')
  const node = findNode(folder)
  if (node === undefined) {
    const wanted = oldest.join('.')
    console.error(`trunkline: Cannot run on Node ${process.versions.node}: install Node ${wanted} or newer`)
    process.exitCode = 1
    return
  }
  const child = spawn(node, [join(folder, 'bin/trunkline.js'), ...process.argv.slice(2)], { stdio: 'inherit' })
  // a terminal tells both of Ctrl-C; who sends a signal to this process means the other one
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => {
    process.exitCode = code ?? 130
  })
}

/** The Node that a package of that name brought, here or in a folder above. */
function findNode(from) {
  const node = join(from, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(node)) return node
  return dirname(from) === from ? undefined : findNode(dirname(from))
}

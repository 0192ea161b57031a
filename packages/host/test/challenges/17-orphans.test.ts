import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { acceptServer, type Killable, killableHome } from '../kills/killable.ts'
import { noProc, processesOf } from '../kills/processes-of.ts'

const unruly = programFile(new URL('../programs/unruly.ts', import.meta.url))
type Victim = 'host' | 'watchdog' | 'servers'

/** Every order of the three, and one in which the servers are left to the next host. */
const orders: readonly (readonly Victim[])[] = [
  ['host', 'watchdog', 'servers'],
  ['host', 'servers', 'watchdog'],
  ['servers', 'watchdog', 'host'],
  ['servers', 'host', 'watchdog'],
  ['watchdog', 'servers', 'host'],
  ['watchdog', 'host', 'servers'],
  ['watchdog', 'host'],
]

it('kill -9 in every order leaves nothing: processes that outlive host and watchdog are reported and ended by the next', {
  skip: noProc,
}, async () => {
  await using home = killableHome()
  const servers = ['stubborn', 'daemon']
  const entry = (worst: string) => ({ command: process.execPath, args: [unruly, worst] })
  home.at.configure({ mcpServers: Object.fromEntries(servers.map((worst) => [worst, entry(worst)])) })
  let host = await home.start()
  for (const server of servers) await acceptServer(host.api, server)
  const left = (but?: number) => processesOf(`HOME=${home.at.home}`).filter(({ pid }) => pid !== but)
  for (const [at, order] of orders.entries()) {
    if (at > 0) for (const server of servers) await host.api.call('restart', { server })
    // each server and its child
    await until(() => left(host.child.pid).length >= 4, 'four processes')
    if (at === 0) await checkTree(home.at.run('status', 'stubborn'))
    await killAll(host, order, () => left(host.child.pid))
    host = await home.start()
    const { leftovers } = await host.api.call('status')
    // processes that the host started itself meanwhile are none of them
    const gone = (pid: number) => left(host.child.pid).every((one) => one.pid !== pid)
    await until(() => leftovers.every(({ pid }) => gone(pid)), 'leftovers to end')
    if (order.includes('servers')) continue
    assert.ok(leftovers.length >= 3, JSON.stringify(leftovers))
    assert.match((await home.at.run('status')).stdout, /processes of an earlier host were left, and were ended/)
  }
  await host.kill()
  await until(() => left().length === 0, `all to end, but ${JSON.stringify(left())}`)
})

async function checkTree(ran: Promise<{ readonly stdout: string }>): Promise<void> {
  const { stdout } = await ran
  const [, server] = /^(\d+) .*unruly\.(?:ts|mjs) stubborn$/m.exec(stdout) ?? assert.fail(stdout)
  assert.ok(Number(server) > 0)
  assert.match(stdout, /^ {2}\d+ sh -c trap/m)
}

/** Kills in an order; the host is stopped first, so that it cannot replace processes killed before it. */
async function killAll(host: Killable, order: readonly Victim[], servers: () => readonly { readonly pid: number }[]) {
  const pid = host.child.pid ?? 0
  const watchdog = childrenOf(pid).find(({ command }) => command.includes("trap '' HUP INT TERM"))?.pid ?? assert.fail()
  process.kill(pid, 'SIGSTOP')
  for (const victim of order) {
    if (victim === 'host') await host.kill()
    else for (const one of victim === 'watchdog' ? [watchdog] : servers().map((found) => found.pid)) kill(one)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it went with the others
  }
}

function childrenOf(parent: number) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    const stat = read(`/proc/${pid}/stat`)
    const isChild = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
    return isChild ? [{ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }] : []
  })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

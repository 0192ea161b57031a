import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { launchdPlan } from './launchd.ts'
import { installService, isServiceActive, uninstallService } from './service.ts'
import type { ServiceContext } from './service-plan.ts'
import { systemdPlan } from './systemd.ts'
import { windowsTaskPlan } from './windows-task.ts'

const strange: ServiceContext = {
  home: '/home/ann',
  environment: { TRUNKLINE_HOME: '/data/100% "mine"', PATH: '/usr/bin' },
  launcher: ['/opt/node 24/bin/node', '/srv/$HOME/a&b/trunkline.js'],
  userId: 501,
}

test('systemdPlan: what a unit would expand stands for itself', () => {
  const { file, text, start } = systemdPlan(strange)
  assert.equal(file, '/home/ann/.config/systemd/user/trunkline.service')
  assert.match(
    text,
    /^ExecStart="\/opt\/node 24\/bin\/node" ("--[\w-]+(=\d+)?" ){3}"\/srv\/\$\$HOME\/a&b\/trunkline\.js" "up"$/m,
  )
  assert.match(text, /^Environment="TRUNKLINE_HOME=\/data\/100%% \\"mine\\""$/m)
  assert.match(text, /^Environment="MALLOC_MMAP_THRESHOLD_=65536"$/m)
  assert.doesNotMatch(text, /PATH=/)
  assert.deepEqual(start.at(-1), ['systemctl', '--user', 'enable', '--now', 'trunkline.service'])
})

test('launchdPlan: words and variables as XML', () => {
  const { file, text, stop } = launchdPlan(strange)
  assert.equal(file, '/home/ann/Library/LaunchAgents/dev.trunkline.host.plist')
  assert.match(text, /<string>\/srv\/\$HOME\/a&amp;b\/trunkline\.js<\/string>\n {6}<string>up<\/string>/)
  assert.match(text, /<key>TRUNKLINE_HOME<\/key><string>\/data\/100% &quot;mine&quot;<\/string>/)
  assert.deepEqual(stop, [['launchctl', 'bootout', 'gui/501/dev.trunkline.host']])
})

/** Knows which service it loaded; refuses to load one twice, and to unload one that is not loaded. */
const launchctl = `#!/bin/sh
echo "$*" >> "$0.log"
case "$1" in
  bootout) [ -f "$0.loaded" ] && rm "$0.loaded" && exit 0; echo "Boot-out failed: 3: No such process" >&2; exit 3 ;;
  bootstrap) [ -f "$0.loaded" ] || exec cp "$3" "$0.loaded"; echo "Bootstrap failed: 5: Input/output error" >&2; exit 5 ;;
  print) [ -f "$0.loaded" ] || exit 113 ;;
esac
`

test('launchdPlan: is installed, installed anew and removed by launchctl, here a stand-in', async () => {
  const home = mkdtempSync(join(tmpdir(), 'launchd-'))
  try {
    writeFileSync(join(home, 'launchctl'), launchctl)
    chmodSync(join(home, 'launchctl'), 0o755)
    const env = { PATH: `${home}:/usr/bin:/bin` }
    const plan = launchdPlan({ ...strange, home })
    assert.equal(await isServiceActive(plan, env), false)
    assert.deepEqual(await installService(plan, env), [])
    assert.equal(statSync(plan.file).mode & 0o777, 0o600)
    assert.deepEqual(await installService({ ...plan, text: `${plan.text}<!-- newer -->` }, env), [])
    assert.match(readFileSync(join(home, 'launchctl.loaded'), 'utf8'), /newer/)
    assert.equal(await isServiceActive(plan, env), true)
    assert.deepEqual(await uninstallService(plan, env), [])
    assert.ok(!existsSync(plan.file))
    assert.equal(await isServiceActive(plan, env), false)
  } finally {
    rmSync(home, { recursive: true })
  }
})

test('windowsTaskPlan: a task at logon, with words as Windows reads them', () => {
  const launcher = ['C:\\Program Files\\node.exe', 'C:\\my files\\trunkline.js'] as const
  const { file, text } = windowsTaskPlan({ home: 'C:\\Users\\ann', environment: {}, launcher, userId: undefined })
  assert.equal(file, 'C:\\Users\\ann\\AppData\\Local\\trunkline\\service.xml')
  assert.match(text, /<Command>C:\\Program Files\\node\.exe<\/Command>/)
  assert.match(
    text,
    /<Arguments>--max-semi-space-size=16 --heap-growing-percent=100 --no-concurrent-recompilation &quot;C:\\my files\\trunkline\.js&quot; up<\/Arguments>/,
  )
  assert.match(text, /<LogonTrigger>/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchdPlan } from './launchd.ts'
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

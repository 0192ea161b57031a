import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meteredCommand } from './command-cpu.ts'

test('meteredCommand: counts what a command and its children compute, and not what they wait', async () => {
  const busy = 'const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);'
  const inChild = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`
  const { cpuMs, stdout } = await meteredCommand([process.execPath, '-e', `${inChild}; console.log('done')`])
  assert.equal(stdout, 'done\n')
  assert.ok(cpuMs >= 190, `${cpuMs}`)
})

test('meteredCommand: a command that fails is out of the run, with its first words', async () => {
  await assert.rejects(meteredCommand([process.execPath, '-e', 'console.error("no"); process.exit(3)']), /no/)
})

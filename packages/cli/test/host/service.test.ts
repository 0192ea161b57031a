import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { hasProgram } from '../has-program.ts'
import { inTerminal } from '../tmux.ts'
import { type HostHome, hostHome } from './host-home.ts'

/** A manager of services that writes down what it is told; no test may change the services of this machine. */
function fakeManager(at: HostHome) {
  const bin = join(at.home, 'bin')
  const told = join(at.home, 'told')
  mkdirSync(bin)
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >> "${told}"\n`)
  chmodSync(join(bin, 'systemctl'), 0o755)
  at.env.PATH = `${bin}:${at.env.PATH}`
  return { PATH: at.env.PATH, told: () => readFileSync(told, 'utf8') }
}

describe('service', { skip: lacking('linux', process.platform === 'linux') }, () => {
  it('shows the text first, writes it when a person says so, and what it writes runs without a search path', async () => {
    await using at = hostHome()
    const manager = fakeManager(at)
    const env = { HOME: at.home, PATH: manager.PATH ?? '' }
    const file = join(at.home, '.config/systemd/user/trunkline.service')
    assert.match((await at.run('service', 'status')).stdout, /The host is no service here/)
    const plan = JSON.parse((await at.run('service', 'install', '--json')).stdout)
    assert.equal(plan.file, file)
    assert.equal((await at.run('service', 'install')).exit, 5)
    assert.equal(existsSync(file), false)

    await using terminal = await inTerminal(['service', 'install'], env)
    await terminal.until(
      /ExecStart=[\s\S]*then: systemctl --user enable --now trunkline\.service[\s\S]*start it\? \[y\/n\]/,
    )
    assert.equal(existsSync(file), false)
    await terminal.answer('y')
    await terminal.until(/Written: .*trunkline\.service[\s\S]*exit:0/)
    const text = readFileSync(file, 'utf8')
    assert.equal(text, plan.text)
    assert.equal(manager.told(), '--user daemon-reload\n--user enable --now trunkline.service\n')

    const [, line = ''] = /^ExecStart=(.*)$/m.exec(text) ?? []
    const [node = '', ...words] = [...line.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '')
    // a service has hardly any environment, and may find another Node or none
    const child = spawn(node, words, {
      cwd: at.home,
      env: { HOME: at.home, PATH: '/nowhere', TRUNKLINE_HOST_PORT: '0' },
    })
    await once(child.stdout, 'data')
    assert.equal((await at.run('status')).exit, 0)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    assert.equal((await ended)[0], 0)

    const { isInstalled, isActive, isCurrent } = JSON.parse((await at.run('service', 'status', '--json')).stdout)
    assert.deepEqual([isInstalled, isActive, isCurrent], [true, true, true])
    await using removal = await inTerminal(['service', 'uninstall'], env)
    await removal.until(/Stop the service and remove/)
    await removal.answer('y')
    await removal.until(/Removed: [\s\S]*exit:0/)
    assert.equal(existsSync(file), false)
    assert.match(manager.told(), /--user disable --now trunkline\.service\n--user daemon-reload\n$/)
    assert.match((await at.run('service', 'uninstall')).stderr, /There is no service to remove/)
  })

  it('leaves a file alone that another program wrote', async () => {
    await using at = hostHome()
    const manager = fakeManager(at)
    const folder = join(at.home, '.config/systemd/user')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'trunkline.service'), '[Service]\nExecStart=/bin/true\n')
    await using terminal = await inTerminal(['service', 'install'], { HOME: at.home, PATH: manager.PATH ?? '' })
    await terminal.until(/start it\? \[y\/n\]/)
    await terminal.answer('y')
    await terminal.until(/it was not written by this command[\s\S]*exit:1/)
    assert.match((await at.run('service')).stderr, /Write: trunkline service install\|uninstall\|status/)
  })

  it('systemd finds nothing wrong with the unit', {
    skip: lacking('systemd', hasProgram('systemd-analyze')),
  }, async () => {
    await using at = hostHome()
    const { text } = JSON.parse((await at.run('service', 'install', '--json')).stdout)
    const file = join(at.home, 'trunkline.service')
    writeFileSync(file, text)
    const env = { ...process.env, HOME: at.home, XDG_RUNTIME_DIR: at.home, SYSTEMD_LOG_LEVEL: 'warning' }
    const said = execFileSync('systemd-analyze', ['--user', '--man=no', 'verify', file], { env, encoding: 'utf8' })
    assert.equal(said, '')
  })
})

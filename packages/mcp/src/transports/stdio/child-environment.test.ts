import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childEnvironment } from './child-environment.ts'

function withEnvironment(variables: Record<string, string>, run: () => void): void {
  const before = process.env
  process.env = variables
  try {
    run()
  } finally {
    process.env = before
  }
}

test('childEnvironment: hands on what is listed and what was asked for, and nothing else', () => {
  withEnvironment({ PATH: '/bin', SECRET: 's', TOKEN: 't' }, () => {
    const env = childEnvironment({ command: 'x', env: { MINE: '1' }, inheritEnv: ['TOKEN', 'ABSENT'] })
    assert.deepEqual(env, { PATH: '/bin', TOKEN: 't', MINE: '1' })
  })
})

test('childEnvironment: starts from what is given instead, and inherits only what is named', () => {
  withEnvironment({ PATH: '/bin', TERM: 'xterm', TOKEN: 't' }, () => {
    const baseEnv = { PATH: '/own', LANG: 'C' }
    const env = childEnvironment({ command: 'x', baseEnv, env: { LANG: 'de' }, inheritEnv: ['TOKEN'] })
    assert.deepEqual(env, { PATH: '/own', TOKEN: 't', LANG: 'de' })
  })
})

test('childEnvironment: a configured variable wins over an inherited one', () => {
  withEnvironment({ PATH: '/bin' }, () => {
    assert.deepEqual(childEnvironment({ command: 'x', env: { PATH: '/opt' } }), { PATH: '/opt' })
  })
})

test('childEnvironment: does not hand on shell functions', () => {
  withEnvironment({ PATH: '/bin', TERM: '() { :; }; echo pwned' }, () => {
    assert.deepEqual(childEnvironment({ command: 'x' }), { PATH: '/bin' })
  })
})

test('childEnvironment: on Windows names differ by more than case, and the last value counts', () => {
  withEnvironment({ PATH: 'C:\\bin', SECRET: 's' }, () => {
    const target = { command: 'x', env: { Path: 'C:\\own', Mine: '1', mine: '2' } }
    assert.deepEqual(childEnvironment(target, 'win32'), { PATH: 'C:\\own', mine: '2' })
    assert.deepEqual(childEnvironment(target, 'linux'), { PATH: 'C:\\bin', Path: 'C:\\own', Mine: '1', mine: '2' })
  })
})

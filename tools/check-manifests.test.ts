import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCompose, checkDockerfile, checkGrace, checkKubernetes } from './check-manifests.ts'
import { readFiles } from './lib/files.ts'

const [compose, manifests] = ['compose.yaml', 'kubernetes.yaml'].map((name) => readFiles(`examples/cluster/${name}`)[0])
if (!compose || !manifests) throw new Error('The example has no compose file or no manifests')
const changed = (file: typeof compose, from: string, to: string) => {
  assert.ok(file.text.includes(from))
  return { ...file, text: file.text.replace(from, to) }
}
const messages = (problems: readonly { readonly message: string }[]) => problems.map(({ message }) => message)

test('checkDockerfile: an unknown instruction and an unknown flag are problems', () => {
  const path = 'Dockerfile'
  assert.deepEqual(checkDockerfile({ path, text: 'FROM node:24\nUSER node\n' }), [])
  assert.deepEqual(checkDockerfile({ path, text: 'FROM node:24\nRUNN x\nHEALTHCHECK --every=1s CMD x\n' }), [
    { path, line: 2, message: 'Unknown instruction: RUNN' },
    { path, line: 3, message: 'Unknown flag: every' },
  ])
})

test('checkCompose: a field that does not exist and a value of another type are problems', () => {
  assert.deepEqual(checkCompose(compose), [])
  assert.match(messages(checkCompose(changed(compose, 'depends_on', 'depend_on'))).join(), /"depend_on"/)
  assert.match(messages(checkCompose(changed(compose, 'replicas: 3', 'replicas: three'))).join(), /replicas.*integer/)
})

test('checkKubernetes: a field that does not exist and a value of another type are problems', async () => {
  const wrong = changed(changed(manifests, 'readinessProbe', 'readyProbe'), 'minAvailable: 2', 'minAvailable: [2]')
  const found = messages(await checkKubernetes({ ...wrong, path: 'wrong.yaml' }))
  assert.equal(found.length, 2)
  assert.match(found[0] ?? '', /readyProbe"?' does not exist in type 'Container'/)
  assert.match(found[1] ?? '', /'number\[\]' is not assignable to type 'string/)
})

test('checkGrace: a process that is killed before it could end is a problem', () => {
  assert.deepEqual(checkGrace(manifests), [])
  const hasty = changed(manifests, 'terminationGracePeriodSeconds: 40', 'terminationGracePeriodSeconds: 20')
  assert.match(messages(checkGrace(hasty)).join(), /is 20: ending takes up to 35 s/)
})

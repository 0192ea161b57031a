import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeFiles } from '../../test/config/whole-files.ts'
import { guessFormat, readDocument } from './formats.ts'
import { registryFormat } from './server-json.ts'

function read(value: object) {
  return registryFormat.read(readDocument(registryFormat, 'server.json', JSON.stringify(value, null, 2)))
}

const environmentVariables = [
  { name: 'API_KEY', description: 'Your key', isRequired: true, isSecret: true },
  { name: 'REGION', default: 'eu' },
  { name: 'OPTIONAL' },
]

test('registry: a package of npm with its arguments and variables', () => {
  const { servers, inputs, left } = read({
    name: 'io.github.ada/weather',
    version: '1.2.3',
    packages: [
      {
        registryType: 'npm',
        identifier: '@ada/weather',
        version: '1.2.3',
        transport: { type: 'stdio' },
        runtimeArguments: [{ type: 'positional', value: '-y' }],
        packageArguments: [
          {
            type: 'named',
            name: '--dir',
            value: '{dir}',
            variables: { dir: { description: 'A directory', isRequired: true } },
          },
          { type: 'named', name: '--quiet', isRequired: true },
          { type: 'named', name: '--never' },
          { type: 'positional', valueHint: 'city', isRequired: true },
        ],
        environmentVariables,
      },
    ],
    remotes: [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }],
  })
  assert.deepEqual(servers[0]?.name, 'weather')
  assert.deepEqual(servers[0]?.entry, {
    command: 'npx',
    args: ['-y', '@ada/weather@1.2.3', '--dir', '${input:dir}', '--quiet', '${input:quiet}', '${input:city}'],
    env: { API_KEY: '${input:API_KEY}', REGION: 'eu' },
  })
  assert.deepEqual(
    inputs.map(({ id, description, password }) => [id, description, password]),
    [
      ['API_KEY', 'Your key', true],
      ['dir', 'A directory', false],
      ['quiet', 'quiet', false],
      ['city', 'city', false],
    ],
  )
  assert.match(
    left.map(({ key, problem }) => `${key} ${problem}`).join(),
    /remotes\.0 is another way to reach the server/,
  )
})

test('registry: a whole file as an author publishes it', () => {
  assert.equal(guessFormat('server.json', wholeFiles.registry), registryFormat)
  const document = readDocument(registryFormat, 'server.json', wholeFiles.registry)
  assert.deepEqual(document.problems, [])
  const { servers, inputs, left } = registryFormat.read(document)
  assert.deepEqual(
    servers.map(({ name, entry }) => [name, entry]),
    [
      [
        'weather',
        {
          command: 'npx',
          args: ['-y', '@ada/weather-mcp@1.4.0', '--units', 'metric', '--cache', '/tmp/weather'],
          env: { WEATHER_API_KEY: '${input:WEATHER_API_KEY}', WEATHER_LANGUAGE: 'en' },
        },
      ],
    ],
  )
  assert.deepEqual(
    inputs.map(({ id, description, password }) => [id, description, password]),
    [['WEATHER_API_KEY', 'Key of your account', true]],
  )
  assert.deepEqual(
    left.map(({ key, problem }) => `${key} ${problem}`),
    ['packages.1 is of a kind that cannot be used here', 'remotes.0 is another way to reach the server'],
  )
})

const commands: readonly (readonly [kind: string, identifier: string, command: string])[] = [
  ['pypi', 'weather', 'uvx weather==1.0'],
  ['nuget', 'Weather', 'dnx Weather@1.0 --yes'],
  ['oci', 'docker.io/ada/weather', 'docker run -i --rm -e API_KEY -e REGION docker.io/ada/weather:1.0'],
  ['oci', 'ghcr.io/ada/weather:2.0', 'docker run -i --rm -e API_KEY -e REGION ghcr.io/ada/weather:2.0'],
]

for (const [registryType, identifier, command] of commands) {
  test(`registry: ${registryType} ${identifier} is run as ${command}`, () => {
    const { servers } = read({
      name: 'a/b',
      packages: [{ registryType, identifier, version: '1.0', environmentVariables }],
    })
    assert.equal([servers[0]?.entry.command, ...(servers[0]?.entry.args ?? [])].join(' '), command)
  })
}

test('registry: an address with headers, where there is no package', () => {
  const { servers, inputs } = read({
    name: 'a/b',
    packages: [{ registryType: 'mcpb', identifier: 'https://x/y.mcpb' }],
    remotes: [
      {
        type: 'sse',
        url: 'https://{tenant}.example.com/sse',
        variables: { tenant: { default: 'main' } },
        headers: [{ name: 'Authorization', value: 'Bearer {token}', variables: { token: { isSecret: true } } }],
      },
    ],
  })
  assert.deepEqual(servers[0]?.entry, {
    type: 'sse',
    url: 'https://main.example.com/sse',
    headers: { Authorization: 'Bearer ${input:token}' },
  })
  assert.deepEqual(
    inputs.map(({ id, password }) => [id, password]),
    [['token', true]],
  )
})

test('registry: nothing that can be used is said so', () => {
  for (const value of [
    {},
    { name: 'a/b' },
    { name: 'a/b', packages: [null, 1, {}], remotes: [{ url: 'file:///x' }] },
  ]) {
    const { servers, left } = read(value)
    assert.deepEqual(servers, [])
    assert.match(left.map(({ problem }) => problem).join(), /names no package or address that can be used/)
  }
})

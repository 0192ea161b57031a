import assert from 'node:assert/strict'
// region extension
import { type ClientAdds, type ClientExtension, connect, type ServerExtension, server } from '@trunkline/mcp'

interface OnClient extends ClientAdds {
  readonly client: { /** Seconds for which the server has been running. */ uptime(): Promise<number> }
}

const method = 'com.example/uptime/get'

/** Lets clients ask how long a server has been running. */
function uptime(): ServerExtension & ClientExtension<OnClient> {
  return {
    id: 'com.example/uptime',
    methods: {
      [method]: {
        params: { type: 'object' },
        result: { type: 'object', properties: { seconds: { type: 'number' } }, required: ['seconds'] },
      },
    },
    server: () => ({ serve: { [method]: () => ({ seconds: Math.floor(performance.now() / 1_000) }) } }),
    client: () => ({
      connected: (host) => ({
        client: { uptime: async () => (await host.request(method, {})).seconds },
      }),
    }),
  }
}

const clock = server({ name: 'clock', version: '1.0.0', extensions: [uptime()] })
// endregion

export async function asked(): Promise<void> {
  // region asking
  await using mcp = await connect(clock, { extensions: [uptime()] })
  console.log(`Up for ${await mcp.uptime()} s`)
  // endregion
  assert.ok((await mcp.uptime()) >= 0)
}

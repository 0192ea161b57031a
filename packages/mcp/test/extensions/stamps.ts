/** An extension for tests that uses every seam there is: it stamps what a tool returns. */
import type { ClientAdds, ClientExtension } from '../../src/client/extension.ts'
import type { ToolTypes } from '../../src/model/server-types.ts'
import type { ServerExtension } from '../../src/server/extension.ts'
import { InvalidParams, RpcError } from '../../src/wire/errors.ts'
import type { Fields } from '../../src/wire/messages.ts'

export const stampsId = 'com.example/stamps'
const stampKey = `${stampsId}/stamp`

interface OnServer {
  readonly tool: { /** The stamp on the result. */ readonly stamp?: string }
  readonly context: { /** Stamps the result with something else. */ restamp(text: string): void }
}

interface OnClient extends ClientAdds {
  readonly tools: StampTools<this['types']['tools']>
  readonly client: { readonly stamps: Stamps }
  readonly options: { /** Asks for another ink. */ readonly ink?: string }
  readonly result: { readonly stamp?: string }
}

interface StampTools<Types extends ToolTypes> {
  /** Calls a tool and returns nothing but its stamp. */
  stampOf<Name extends keyof Types & string>(name: Name, input: Types[Name]['input']): Promise<string | undefined>
}

interface Stamps {
  readonly heard: readonly Fields[]
  known(): Promise<readonly string[]>
  watch(signal: AbortSignal): Promise<Fields | undefined>
}

interface State {
  text: string
}

export interface StampsOptions {
  readonly handshake?: boolean
}

/** Stamps results; `printed` tells those who listen. */
export function stamps({
  handshake = false,
}: StampsOptions = {}): ServerExtension<OnServer> & ClientExtension<OnClient> {
  return {
    id: stampsId,
    handshake,
    methods: {
      'com.example/stamps/list': {
        params: { type: 'object', properties: { prefix: { type: 'string' } } },
        result: { type: 'object', properties: { stamps: { type: 'array' } }, required: ['stamps'] },
        named: 'prefix',
      },
    },
    notifications: { 'notifications/com.example/stamped': { type: 'object', required: ['stamp'] } },
    resultTypes: { 'com.example/stamp-only': { type: 'object', required: ['stamp'] } },
    server(host) {
      const used = new Set<string>()
      const listeners = new Set<(stamp: string) => void>()
      return {
        settings: { inks: ['red'] },
        fields: ['stamp'],
        tool(name, { stamp }) {
          if (stamp === '') throw new RpcError(InvalidParams, `Cannot add tool "${name}": "stamp" is empty`)
          return stamp === undefined ? undefined : { keep: stamp, listed: { _meta: { [stampKey]: stamp } } }
        },
        serve: {
          'com.example/stamps/list': ({ params: { prefix = '' } }) => ({
            stamps: [...used].filter((stamp) => stamp.startsWith(prefix as string)),
          }),
        },
        intercept: (next) => (request) => {
          const { method, params, caller } = request
          const kept = method === 'tools/call' ? host.tool(params.name as string, caller)?.keep : undefined
          if (typeof kept !== 'string') return next(request)
          const state: State = { text: kept }
          return Promise.resolve(next({ ...request, added: { ...request.added, [stampsId]: state } })).then(
            (result) => {
              used.add(state.text)
              for (const tell of listeners) tell(state.text)
              const { only, ink } = ((params._meta as Fields)?.[stampKey] ?? {}) as Fields
              if (only) return { resultType: 'com.example/stamp-only', stamp: state.text }
              return { ...result, _meta: { [stampKey]: ink ? `${state.text} (${ink})` : state.text } }
            },
          )
        },
        context: {
          restamp:
            ({ added }) =>
            (text: string) => {
              const state = added?.[stampsId] as State | undefined
              if (state) state.text = text
            },
        },
        listen: ({ stamps }) =>
          stamps === true
            ? {
                honoured: { stamps: true },
                start(tell) {
                  const listener = (stamp: string): void =>
                    tell('stamp', 'notifications/com.example/stamped', { stamp })
                  listeners.add(listener)
                  return () => listeners.delete(listener)
                },
              }
            : undefined,
      }
    },
    client: () => ({
      settings: { inks: ['blue'] },
      callOptions: ['ink'],
      connected(host) {
        const heard: Fields[] = []
        return {
          intercept: (next) => async (request) => {
            const { ink } = request.options as { ink?: string }
            const _meta = { ...(request.params._meta as Fields | undefined), ...(ink && { [stampKey]: { ink } }) }
            const result = await next(ink ? { ...request, params: { ...request.params, _meta } } : request)
            const stamp = (result._meta as Fields | undefined)?.[stampKey]
            return stamp === undefined ? result : { ...result, stamp }
          },
          tools: {
            async stampOf(name: string, input: Fields) {
              const meta = { [stampKey]: { only: true } }
              return (await host.request('tools/call', { name, arguments: input }, { meta })).stamp
            },
          },
          client: {
            stamps: {
              heard,
              known: async () => (await host.request('com.example/stamps/list', { prefix: 'p' })).stamps,
              watch: (signal: AbortSignal) =>
                host.listen(
                  { stamps: true },
                  { signal, onEnd() {}, onNotice: (_method, params) => heard.push(params) },
                ),
            },
          },
        }
      },
    }),
  }
}

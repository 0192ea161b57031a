import { server } from '../../src/index.ts'

/** A server that tells all it knows, and breaks in every way. */
export function gossip() {
  return server({ name: 'gossip', version: '1' })
    .use((next) => (request) => {
      const { sender: origin } = request.incoming
      console.error('seen', JSON.stringify(origin), origin?.headers?.get('authorization'), request.caller)
      return next(request)
    })
    .tool('tell', {}, (_, { caller, meta }) => ({ caller, meta }))
    .tool('fail', {}, (_, { caller }) => {
      throw new Error(`Cannot serve ${JSON.stringify(caller)}`)
    })
    .tool('crash', {}, () => (undefined as never as { a: { b: string } }).a.b)
    .tool('guarded', { scopes: ['more'] }, () => 'never')
}

/** A server that counts how often anything of it was reached. */
import { server } from '@trunkline/mcp'
import { quiet } from '../fixtures/quiet.ts'

export function counting() {
  let reached = 0
  const definition = server({ name: 'counting', ...quiet })
    .tool('count', {}, () => `${++reached}`)
    .tool('echo', {}, (input) => JSON.stringify(input))
    .use((next) => (request) => {
      if (request.params.name !== 'count') reached += 1
      return next(request)
    })
  return {
    definition,
    get reached() {
      return reached
    },
  }
}

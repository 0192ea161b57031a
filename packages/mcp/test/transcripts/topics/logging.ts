import { server } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

export const logging: Topic = {
  says: 'A client asks for warnings, and a tool logs two messages of which one is severe enough.',
  server: () =>
    server(cafe).tool('brew', {}, async (_, { log }) => {
      await log('info', 'The water is hot')
      await log('warning', { beans: 'low' }, 'grinder')
      return 'Brewed'
    }),
  async talk(client) {
    await client.setLogLevel('warning')
    await client.tools.call('brew', {})
  },
}

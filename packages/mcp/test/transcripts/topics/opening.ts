import { server } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

export const opening: Topic = {
  says: 'A client finds out what a server offers, and tells what it can be asked itself.',
  opening: true,
  server: () =>
    server({
      ...cafe,
      title: 'The Café',
      websiteUrl: 'https://cafe.example/',
      instructions: 'Order before you sit down',
    })
      .tool('order', {}, () => 'An espresso, then')
      .resource('cafe://menu', {}, () => 'espresso, cortado')
      .prompt('recommend', {}, () => 'What is good today?'),
  options: {
    sampling: { sample: () => ({ role: 'assistant', model: 'none', content: [] }), tools: true },
    elicitation: { form: () => ({ action: 'cancel' }), url: () => ({ action: 'cancel' }) },
    roots: [],
  },
  async talk(client) {
    await client.tools.call('order', {})
  },
}

import { server } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

export const prompts: Topic = {
  says: 'A client lists the prompts, completes an argument with what it knows of another, and gets one filled in.',
  server: () =>
    server(cafe).prompt(
      'recommend',
      {
        title: 'Recommend a coffee',
        description: 'Finds what suits the guest',
        arguments: [{ name: 'mood', title: 'Mood', required: true }, { name: 'time' }],
        complete: { mood: (start, { time }) => [time === 'morning' ? `${start}epy` : `${start}ow`] },
      },
      ({ mood }) => `What suits somebody who is ${mood}?`,
    ),
  async talk(client) {
    await client.prompts.list().all()
    await client.complete({ prompt: 'recommend', argument: 'mood' }, 'sle', { time: 'morning' })
    await client.prompts.get('recommend', { mood: 'sleepy' })
  },
}

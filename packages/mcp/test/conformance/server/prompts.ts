import { embed, image, type Server, text } from '@trunkline/mcp'
import { z } from 'zod'
import { redPixel } from './samples.ts'

const words = ['test', 'testing', 'tests']

/** Prompts of every kind of content, with and without arguments. */
export function offerPrompts(app: Server): void {
  app.prompt('test_simple_prompt', { description: 'Takes nothing' }, () => 'This is a simple prompt for testing.')

  app.prompt(
    'test_prompt_with_arguments',
    {
      description: 'Takes two arguments',
      arguments: z.object({ arg1: z.string().describe('The first'), arg2: z.string().describe('The second') }),
      complete: { arg1: (start) => words.filter((word) => word.startsWith(start)) },
    },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  )

  app.prompt(
    'test_prompt_with_embedded_resource',
    { description: 'Takes the address of a resource', arguments: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => [
      { role: 'user', content: embed(resourceUri, 'Embedded resource content for testing.', 'text/plain') },
      { role: 'user', content: text('Please process the embedded resource above.') },
    ],
  )

  app.prompt('test_prompt_with_image', { description: 'Shows an image' }, () => [
    { role: 'user', content: image(redPixel, 'image/png') },
    { role: 'user', content: text('Please analyze the image above.') },
  ])

  app.prompt('test_input_required_result_prompt', { description: 'Asks for its context' }, async (_, ctx) => {
    const { context } = await ctx.elicit('What context should the prompt use?', z.object({ context: z.string() }))
    return `Prompt with context: ${context}`
  })
}

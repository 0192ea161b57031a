// region client
import { connect } from '@trunkline/mcp'
// endregion

/** Does all there is to do in a shop. */
export async function visit(program: string): Promise<readonly unknown[]> {
  // region client
  await using client = await connect(
    { command: process.execPath, args: [program] },
    { elicitation: () => ({ action: 'accept', content: { sure: true } }) },
  )
  const price = await client.tools.call('price', { item: 'lamp' })
  // endregion
  const bought = await client.tools.call('buy', { item: 'lamp' })
  const about = await client.resources.read('shop://items/lamp')
  const advice = await client.prompts.get('advise', { budget: '10' })
  return [
    price.structuredContent,
    price.content,
    bought.content,
    about.contents.map((one) => ('text' in one ? one.text : '')),
    advice.messages,
  ]
}

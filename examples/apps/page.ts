// region host
import { connect } from '@trunkline/mcp'
import { apps, openView, type ViewFrame } from '@trunkline/mcp/apps'

/** Shows a forecast in an `<iframe>` of the page. */
export async function showForecast(url: URL, frame: ViewFrame, city: string) {
  const mcp = await connect(url, { extensions: [apps()] })
  const tools = await mcp.tools.list().all()
  const tool = tools.find(({ name }) => name === 'forecast')
  if (!tool) throw new Error('There is no forecast')
  const bridge = openView({
    view: await mcp.apps.view(tool),
    frame,
    // the view reaches this server, and no other
    client: mcp,
    host: { name: 'my-page', version: '1.0.0' },
    context: { theme: 'light', locale: 'en' },
    approve: (called) => called.name === 'refresh',
    onSize: ({ height }) => {
      if (height !== undefined) frame.setAttribute('height', `${height}`)
    },
  })
  await bridge.toolInput({ city })
  await bridge.toolResult(await mcp.tools.call('forecast', { city }))
  // when the frame goes: await bridge.close()
  return bridge
}
// endregion

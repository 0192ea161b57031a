/** A page that shows a forecast; with a library it would be shorter, and it needs none. */
export const html = `<!doctype html>
<html>
  <body>
    <p id="forecast">…</p>
    <button id="refresh">Refresh</button>
    <script>
      const show = ({ content }) => (document.querySelector('#forecast').textContent = content[0].text)
      const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
      addEventListener('message', ({ data }) => {
        if (data.id === 'hello') send({ method: 'ui/notifications/initialized' })
        if (data.method === 'ui/notifications/tool-result') show(data.params)
        if (data.id === 'refresh' && data.result) show(data.result)
      })
      document.querySelector('#refresh').onclick = () =>
        send({ id: 'refresh', method: 'tools/call', params: { name: 'refresh', arguments: {} } })
      const appInfo = { name: 'forecast', version: '1.0.0' }
      send({ id: 'hello', method: 'ui/initialize', params: { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' } })
    </script>
  </body>
</html>`

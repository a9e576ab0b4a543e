// A client that knows proxies only by their protocol: connect.mjs REQUEST_LINE_TARGET [HOST_HEADER] asks the proxy of
// the environment by CONNECT (`HOST:PORT`) or in absolute form (`http://...`), and prints what comes back.
import net from 'node:net';
import process from 'node:process';

const [target = '', hostHeader = 'elsewhere.example', extra = ''] = process.argv.slice(2);
const { hostname, port } = new URL(process.env.HTTPS_PROXY);
const socket = net.connect(Number(port), hostname);
const method = target.includes('://') || target.startsWith('/') ? 'GET' : 'CONNECT';
const headers = `Host: ${hostHeader}\r\n${extra === '' ? '' : `X-Long: ${'x'.repeat(Number(extra))}\r\n`}`;
socket.write(`${method} ${target} HTTP/1.1\r\n${headers}${method === 'GET' ? 'Connection: close\r\n' : ''}\r\n`);
let text = '';
let asked = method === 'GET';
socket.on('data', (chunk) => {
  text += chunk;
  if (asked || !text.includes('\r\n\r\n')) return;
  asked = true;
  if (text.startsWith('HTTP/1.1 200'))
    socket.write(`GET /inside HTTP/1.1\r\nHost: inside\r\nConnection: close\r\n\r\n`);
});
socket.on('error', (error) => console.log(`error ${error.code}`));
socket.on('close', () => console.log(text));

# See drive.py.
require ARGV.shift

$stdin.each_line(chomp: true) do |line|
  form, now, keys, endpoints, body, *headers = line.split(',', -1)
  text = ->(hex) { [hex].pack('H*').force_encoding('UTF-8') }
  given = [*headers.map(&text), [body].pack('H*'), keys.split('.').map(&text)]
  given << endpoints.split('.').map(&text) if form == 'ed25519'
  given << now.to_i unless form == 'github'
  puts Webhooks.public_send("#{form}_signed?", *given) ? 1 : 0
end

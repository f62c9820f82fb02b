# Verifies signed webhooks. Ruby 3.1 or later, standard library only.
#
# A header that is missing is the empty text. A body is the bytes as they arrived (`request.raw_post`); a time is in
# seconds since 1970.
require 'openssl'

module Webhooks
  TOLERANCE = 5 * 60 # seconds

  module_function

  # `X-Hub-Signature-256: sha256=…`: the HMAC-SHA-256 of the body, in hex.
  def github_signed?(signature, body, secrets)
    fits?([signature], secrets.map { |secret| "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', secret, body)}" })
  end

  # `Stripe-Signature: t=…,v1=…`: the time, and the HMAC-SHA-256 of time and body, in hex.
  def stripe_signed?(signature, body, secrets, now)
    at = signature.delete_prefix('t=').partition(',').first
    expected = secrets.map { |secret| "t=#{at},v1=#{OpenSSL::HMAC.hexdigest('SHA256', secret, "#{at}.".b + body)}" }
    timely?(at, now) && fits?([signature], expected)
  end

  # Standard Webhooks: `v1` in the list of signatures, the HMAC-SHA-256 of id, time and body, in Base64.
  def standard_signed?(id, at, signatures, body, secrets, now)
    keys = secrets.select { |secret| secret.start_with?('whsec_') }.map { |secret| secret[6..].unpack1('m') }
    message = "#{id}.#{at}.".b + body
    # With an empty key anyone could sign.
    digests = keys.reject(&:empty?).map { |key| OpenSSL::HMAC.digest('SHA256', key, message) }
    addressed?(id, at, signatures, now) && fits?(signatures.split.take(16), digests.map { |each| "v1,#{[each].pack('m0')}" })
  end

  # The same with `v1a`: signatures of Ed25519. A public key is the `x` of /.well-known/webhook-keys.json.
  # One key signs for all partners: the id must end with the id of one of your endpoints.
  def ed25519_signed?(id, at, signatures, body, public_keys, endpoints, now)
    return false unless endpoints.any? { |endpoint| id.end_with?("_#{endpoint}") }

    keys = public_keys.map do |key| # the head is that of RFC 8410
      OpenSSL::PKey.read(['302a300506032b6570032100'].pack('H*') + key.tr('-_', '+/').unpack1('m'))
    end
    offered = signatures.split.take(16).select { |each| each.start_with?('v1a,') }
    addressed?(id, at, signatures, now) && offered.any? do |each|
      signature = each[4..].unpack1('m0')
      keys.any? { |key| key.verify(nil, signature, "#{id}.#{at}.".b + body) }
    rescue ArgumentError, OpenSSL::PKey::PKeyError
      false
    end
  end

  # Whether one of several fits; all are compared, in constant time.
  def fits?(offered, expected)
    offered.product(expected).map { |one, other| OpenSSL.secure_compare(one, other) }.any?
  end

  def timely?(at, now)
    at.match?(/\A(0|[1-9][0-9]{0,11})\z/) && (at.to_i - now).abs <= TOLERANCE
  end

  # A server may join a header that comes twice with a comma; a list of signatures has blanks only.
  def addressed?(id, at, signatures, now)
    !id.empty? && !signatures.include?(', ') && timely?(at, now)
  end
end

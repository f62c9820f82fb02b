// Package webhooks verifies signed webhooks. Go 1.19 or later, standard library only.
//
// A header that is missing is the empty text. A body is the bytes as they arrived; a time is in seconds since 1970.
package webhooks

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

const tolerance = 5 * 60 // seconds

// IsGithubSigned verifies `X-Hub-Signature-256: sha256=…`: the HMAC-SHA-256 of the body, in hex.
func IsGithubSigned(signature string, body []byte, secrets []string) bool {
	var expected []string
	for _, secret := range secrets {
		expected = append(expected, "sha256="+hex.EncodeToString(digest([]byte(secret), "", body)))
	}
	return fits([]string{signature}, expected)
}

// IsStripeSigned verifies `Stripe-Signature: t=…,v1=…`: the time, and the HMAC-SHA-256 of time and body, in hex.
func IsStripeSigned(signature string, body []byte, secrets []string, now int64) bool {
	at, _, _ := strings.Cut(strings.TrimPrefix(signature, "t="), ",")
	var expected []string
	for _, secret := range secrets {
		expected = append(expected, "t="+at+",v1="+hex.EncodeToString(digest([]byte(secret), at+".", body)))
	}
	return isTimely(at, now) && fits([]string{signature}, expected)
}

// IsStandardSigned verifies Standard Webhooks: `v1` in the list of signatures, the HMAC-SHA-256 of id, time and body,
// in Base64.
func IsStandardSigned(id, at, signatures string, body []byte, secrets []string, now int64) bool {
	var expected []string
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err == nil && len(key) > 0 && strings.HasPrefix(secret, "whsec_") { // with an empty key anyone could sign
			expected = append(expected, "v1,"+base64.StdEncoding.EncodeToString(digest(key, id+"."+at+".", body)))
		}
	}
	return isAddressed(id, at, signatures, now) && fits(list(signatures), expected)
}

// IsEd25519Signed verifies the same with `v1a`: signatures of Ed25519. A public key is the `x` of
// /.well-known/webhook-keys.json. One key signs for all partners: the id must end with the id of one of your endpoints.
func IsEd25519Signed(id, at, signatures string, body []byte, publicKeys, endpoints []string, now int64) bool {
	isOurs := false
	for _, endpoint := range endpoints {
		isOurs = isOurs || strings.HasSuffix(id, "_"+endpoint)
	}
	message := append([]byte(id+"."+at+"."), body...)
	for _, offered := range list(signatures) {
		signature, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(offered, "v1a,"))
		if err != nil || !strings.HasPrefix(offered, "v1a,") {
			continue
		}
		for _, key := range publicKeys {
			public, err := base64.RawURLEncoding.DecodeString(key)
			if err == nil && len(public) == ed25519.PublicKeySize && ed25519.Verify(public, message, signature) {
				return isOurs && isAddressed(id, at, signatures, now)
			}
		}
	}
	return false
}

func digest(key []byte, before string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(before))
	mac.Write(body)
	return mac.Sum(nil)
}

// fits says whether one of several fits; all are compared, in constant time.
func fits(offered, expected []string) (fits bool) {
	for _, one := range offered {
		for _, other := range expected {
			fits = hmac.Equal([]byte(one), []byte(other)) || fits
		}
	}
	return fits
}

func list(signatures string) []string {
	all := strings.Split(signatures, " ")
	if len(all) > 16 {
		return all[:16]
	}
	return all
}

func isTimely(at string, now int64) bool {
	seconds, err := strconv.ParseInt(at, 10, 64)
	age := now - seconds
	return err == nil && strconv.FormatInt(seconds, 10) == at && age <= tolerance && age >= -tolerance
}

// isAddressed refuses a header that comes twice: a server may join it with a comma, and a list has blanks only.
func isAddressed(id, at, signatures string, now int64) bool {
	return id != "" && !strings.Contains(signatures, ", ") && isTimely(at, now)
}

// A partner's webhook receiver. Go 1.19 or later, standard library only; see README.md.
package main

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	apiKeyHeader = "X-API-Key" // as it is called in the endpoint's settings
	mostBytes    = 512 << 10
	tolerance    = 5 * 60 // seconds
)

var (
	secrets = strings.Fields(need("WEBHOOK_SECRETS", "the webhook secret; two with a space between while it is rotated"))
	port    = need("PORT", "the port to listen on")
	apiKey  = os.Getenv("WEBHOOK_API_KEY")
)

func need(name, what string) string {
	value := strings.TrimSpace(os.Getenv(name))
	if value == "" {
		log.Fatalf("%s is not set: %s.", name, what)
	}
	return value
}

// record stands for your work. When it fails, the event is sent again.
func record(event map[string]any, key string) error {
	path := filepath.Join(os.Getenv("DATA_DIR"), "events.jsonl")
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprintln(file, key)
	return err
}

// By objectName and type. What has no handler is confirmed and dropped, types of the future included.
var handlers = map[[2]string]func(event map[string]any, key string) error{
	{"RequestPayment", "payed"}:                   record,
	{"RequestPayment", "cancel"}:                  record,
	{"RequestSecurityDeposit", "deposit_success"}: record,
	{"RequestSecurityDeposit", "cancel"}:          record,
}

// single is the only value of a header: one that comes twice is as bad as none.
func single(header http.Header, name string) string {
	if values := header.Values(name); len(values) == 1 {
		return values[0]
	}
	return ""
}

func sign(algorithm func() hash.Hash, key []byte, message string) []byte {
	mac := hmac.New(algorithm, key)
	io.WriteString(mac, message)
	return mac.Sum(nil)
}

func isWeak(header http.Header, body string) (fits bool) {
	offered := single(header, "X-WEBHOOK-SIGNATURE")
	for _, secret := range secrets {
		expected := fmt.Sprintf("%x", sign(sha1.New, []byte(secret), body))
		fits = hmac.Equal([]byte(offered), []byte(expected)) || fits
	}
	return fits
}

func isStrong(header http.Header, body string) (fits bool) {
	id, at := single(header, "webhook-id"), single(header, "webhook-timestamp")
	seconds, _ := strconv.ParseInt(at, 10, 64)
	age := time.Now().Unix() - seconds
	if id == "" || strconv.FormatInt(seconds, 10) != at || age > tolerance || age < -tolerance {
		return false
	}
	for _, secret := range secrets { // the key is what the Base64 of a secret stands for
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 || !strings.HasPrefix(secret, "whsec_") {
			continue // with an empty key anyone could sign
		}
		expected := "v1," + base64.StdEncoding.EncodeToString(sign(sha256.New, key, id+"."+at+"."+body))
		for _, offered := range strings.SplitN(single(header, "webhook-signature"), " ", 16) {
			fits = hmac.Equal([]byte(offered), []byte(expected)) || fits
		}
	}
	return fits
}

// isGenuine says whether every signature that a request carries is good, and one is there.
func isGenuine(header http.Header, body string) bool {
	count := func(name string) int { return len(header.Values(name)) }
	weak := count("X-WEBHOOK-SIGNATURE") > 0
	strong := count("webhook-id")+count("webhook-timestamp")+count("webhook-signature") > 0
	return (weak || strong) && (!weak || isWeak(header, body)) && (!strong || isStrong(header, body))
}

// parse makes no struct of the envelope: encoding/json would take a future "ID" for "id". Unknown fields pass.
func parse(body []byte) (event map[string]any, name [2]string, key string, ok bool) {
	if !utf8.Valid(body) || json.Unmarshal(body, &event) != nil {
		return
	}
	data, _ := event["data"].(map[string]any)
	id, hasID := data["id"].(string)
	object, hasObject := event["objectName"].(string)
	kind, hasKind := event["type"].(string)
	at, hasAt := event["timestamp"].(float64)
	parts, _ := json.Marshal([]any{object, id, kind, at})
	ok = hasID && hasObject && hasKind && hasAt && at == float64(int64(at))
	return event, [2]string{object, kind}, string(parts), ok
}

// Keys, known to this process alone, never removed and forgotten at a restart. In production keep them in your database for 35
// days, with a lease on those that are busy, and add a key to those that are done in the transaction of the work.
var busy, done sync.Map

func once(key string, work func() error) (status int, reason string) {
	if _, taken := busy.LoadOrStore(key, true); taken {
		return 409, "it is being processed"
	}
	defer busy.Delete(key)
	if _, known := done.Load(key); known {
		return 204, ""
	}
	if err := work(); err != nil {
		log.Print(err)
		return 503, "it was not processed; send it again"
	}
	done.Store(key, true)
	return 204, ""
}

func receive(method string, header http.Header, body []byte) (status int, reason string) {
	if method != http.MethodPost {
		return 405, "webhooks are sent by POST"
	}
	if apiKey != "" && !hmac.Equal([]byte(single(header, apiKeyHeader)), []byte(apiKey)) {
		return 401, "the API key is missing or wrong"
	}
	if !isGenuine(header, string(body)) {
		return 401, "the signature is missing or wrong"
	}
	event, name, key, ok := parse(body)
	if !ok {
		return 400, "the body is not a webhook envelope"
	}
	if handler := handlers[name]; handler != nil {
		return once(key, func() error { return handler(event, key) })
	}
	return 204, ""
}

func serve(w http.ResponseWriter, r *http.Request) {
	status, reason := 413, "the body is larger than a webhook can be"
	if body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes)); err == nil {
		status, reason = receive(r.Method, r.Header, body)
	}
	if status == 409 {
		w.Header().Set("Retry-After", "10")
	}
	w.WriteHeader(status)
	io.WriteString(w, reason)
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://127.0.0.1:%s/webhooks\n", port)
	http.HandleFunc("/webhooks", serve)
	server := http.Server{ReadTimeout: 15 * time.Second}
	log.Fatal(server.Serve(listener))
}

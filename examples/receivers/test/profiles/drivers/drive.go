// See drive.py.
package main

import (
	"bufio"
	"driver/webhooks"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func textOf(digits string) string {
	text, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), ",")
		now, _ := strconv.ParseInt(parts[1], 10, 64)
		var keys, endpoints, headers []string
		for _, key := range strings.Split(parts[2], ".") {
			keys = append(keys, textOf(key))
		}
		for _, endpoint := range strings.Split(parts[3], ".") {
			endpoints = append(endpoints, textOf(endpoint))
		}
		body := []byte(textOf(parts[4]))
		for _, header := range parts[5:] {
			headers = append(headers, textOf(header))
		}
		isGenuine := false
		switch parts[0] {
		case "github":
			isGenuine = webhooks.IsGithubSigned(headers[0], body, keys)
		case "stripe":
			isGenuine = webhooks.IsStripeSigned(headers[0], body, keys, now)
		case "standard":
			isGenuine = webhooks.IsStandardSigned(headers[0], headers[1], headers[2], body, keys, now)
		case "ed25519":
			isGenuine = webhooks.IsEd25519Signed(headers[0], headers[1], headers[2], body, keys, endpoints, now)
		}
		if isGenuine {
			fmt.Println(1)
		} else {
			fmt.Println(0)
		}
	}
}

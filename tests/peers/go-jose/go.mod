module peer

go 1.27.0

require github.com/go-jose/go-jose/v4 v4.1.9
